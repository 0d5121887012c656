"""Asks to forget something, in words: what they want gone. Narrow: “forget it” and “forget about dinner” are none.

Nothing is forgotten by a sentence (see chat/reply.py): what it names is shown, and a person decides by its id.
"""

from __future__ import annotations

import re

from memory.domain.ask_patterns import FLAGS, POLITE

#: “what I told you”, “everything that you know”: up to the word that the subject stands behind.
SAID_EN = r"(?:i|you|we)\b[^.!?\n]{0,60}?"
SAID_FR = r"(?:j['’]|je|tu|on|nous|vous)[^.!?\n]{0,60}?"
FORGET = re.compile(
    rf"""{POLITE}(?:
    (?:forget|delete|erase|oublie[zs]?|efface[zs]?|supprime[zs]?)\ (?:the\ |l['’])?
        (?P<number>(?:\#|(?:entry|entrée)\ \#?)\d{{1,18}})(?=(?:[\s.!?,]*(?:please|pls|stp|svp))?[\s.!?]*$)
    | forget\ (?:everything|anything|all|whatever|what)(?:(?:\ that)?\ {SAID_EN})?\ (?:about|regarding)\ (?P<en>.+)
    | (?:delete|erase|remove)\ (?:everything|all|what)(?:\ that)?\ {SAID_EN}\ (?:about|regarding)\ (?P<gone>.+)
    | forget\ (?P<mine>my\ (?!last|previous|earlier|first|question|message|request|mistake|point).+)
    | (?:oublie[zs]?|efface[zs]?|supprime[zs]?)\ (?:tout\ )?ce\ (?:que\ |qu['’]){SAID_FR}
        \ (?:sur|de|du|des|concernant|à\ propos\ (?:de|du|des)|au\ sujet\ (?:de|du|des))\ (?P<fr>.+)
    | oublie[zs]?\ tout\ (?:sur|de|du|des|concernant|à\ propos\ (?:de|du|des)|au\ sujet\ (?:de|du|des))\ (?P<tout>.+)
    | oublie[zs]?\ (?P<mien>(?:mon|ma|mes)\ (?!derni|message|question|demande).+)
    | vergiss\ (?:alles|was)\b[^.!?\n]{{0,60}}?\ über\ (?P<de>.+)
    | olvida\ (?:todo|lo\ que)\b[^.!?\n]{{0,60}}?\ sobre\ (?P<es>.+)
    )""",
    FLAGS,
)
AROUND = " \t.!?？…,;:\u202f\xa0"
ASKED_NICELY = re.compile(r"[,\s]+(?:please|pls|stp|svp|s['’]il (?:te|vous) plaît|bitte|por favor)$", re.IGNORECASE)


def to_forget(sentence: str) -> str:
    """What the sentence wants forgotten, in its own words; empty where it wants nothing of the kind."""
    match = FORGET.match(sentence.strip())
    named = next((words for words in match.groups() if words), "") if match else ""
    return ASKED_NICELY.sub("", named.strip(AROUND)).strip(AROUND)


def named_entry(named: str) -> int:
    """The id where nothing but one is named; 0 for any other words."""
    match = re.fullmatch(r"(?:(?:entry|entrée) )?#?(\d+)", named, re.IGNORECASE)
    return int(match.group(1)) if match else 0
