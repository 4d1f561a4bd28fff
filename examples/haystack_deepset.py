"""A pipeline of deepset's platform, its YAML unchanged, run anywhere."""

from haystack import Document

from streamcite.haystack import load_deepset_pipeline

YAML = """
components:
  prompt_builder:
    type: haystack.components.builders.chat_prompt_builder.ChatPromptBuilder
    init_parameters:
      template:
        - role: user
          content:
            - text: |-
                {% for document in documents %}
                Document[{{ loop.index }}]: {{ document.content }}
                {% endfor %}
                Question: {{ question }}
  llm:
    type: haystack.components.generators.chat.mock.MockChatGenerator
    init_parameters:
      responses:
        - role: assistant
          content:
            - text: <thinking>Documents 1 and 2.</thinking>Both lie on the Rhine [1, 2].
  answer_builder:
    type: deepset_cloud_custom_nodes.augmenters.deepset_answer_builder.DeepsetAnswerBuilder
    init_parameters:
      reference_pattern: acm
      extract_xml_tags:
        - thinking
connections:
  - sender: prompt_builder.prompt
    receiver: llm.messages
  - sender: prompt_builder.prompt
    receiver: answer_builder.prompt
  - sender: llm.replies
    receiver: answer_builder.replies
max_runs_per_component: 100
metadata: {}
inputs:
  query:
    - prompt_builder.question
    - answer_builder.query
outputs:
  answers: answer_builder.answers
"""

question = "Where are Basel and Cologne?"
documents = [Document(content="Basel lies on the Rhine."), Document(content="So does Cologne.")]

pipeline = load_deepset_pipeline(YAML)
result = pipeline.run(
    {
        "prompt_builder": {"question": question, "documents": documents},
        "answer_builder": {"query": question, "documents": documents},
    }
)

answer = result["answer_builder"]["answers"][0]
print(answer.data)
print(answer.meta["thinking"])
for reference in answer.meta["_references"]:
    claim = answer.data[reference["answer_start_idx"] : reference["answer_end_idx"]]
    print(f"document {reference['document_position']} grounds {claim!r}")

# Output:
# Both lie on the Rhine [1, 2].
# Documents 1 and 2.
# document 1 grounds 'Both lie on the Rhine'
# document 2 grounds 'Both lie on the Rhine'
