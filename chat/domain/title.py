"""A conversation's title: the person's first words."""

TITLE = 60


def title_of(text: str) -> str:
    """The first words on one line, cut at a word's end, the cut visible."""
    line = " ".join(text[: TITLE * 8].split())
    if len(line) <= TITLE:
        return line
    cut = line[:TITLE]
    return f"{cut.rsplit(' ', 1)[0] if ' ' in cut[20:] else cut}…"
