"""Text in, spans out: tags, markdown contexts, markers and regexes, all incremental."""
