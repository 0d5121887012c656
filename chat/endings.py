"""How an answer ended that is none, or half of one, in words: below it in the page and in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

#: By the run's `not_answered`. What its own words say needs none: that memory holds nothing, or that it was stopped.
ENDINGS: dict[str, _StrOrPromise] = {
    "cut off": gettext_lazy("The answer was cut off at its longest (LLM_MAX_TOKENS)."),
    "cut early": gettext_lazy(
        "The model came to its token limit before it said a word, or in the middle of calling a tool; nothing of that "
        "call was carried out. Raise LLM_MAX_TOKENS, and ask again."
    ),
    "broken off": gettext_lazy("The model server broke off before the answer ended."),
    "empty": gettext_lazy("The model gave no answer."),
    "only thought": gettext_lazy("The model thought and gave no answer."),
    "repeats itself": gettext_lazy("The model goes in circles: this is no answer."),
    "leaked prompt": gettext_lazy("The model repeats what it was told to do: this is no answer."),
    "leaked call": gettext_lazy("The model shows what passes between it and its tools: this is no answer."),
    "placeholder": gettext_lazy("The model left a gap where the answer should be."),
    "error body": gettext_lazy("This is the error of a server and no answer."),
}
#: In the page: an answer that was cut has a sentence and a button of its own.
BELOW = ENDINGS.keys() - {"cut off", "broken off"}
#: Why an answer is none, or its exchange stays out of memory, for who asks why.
REASONS: dict[str, _StrOrPromise] = {
    "no memory": gettext_lazy("memory holds nothing on it"),
    "temporary": gettext_lazy("this conversation is temporary"),
    "cut off": gettext_lazy("the token limit was reached"),
    "cut early": gettext_lazy("the token limit was reached before the first word, or within a call of a tool"),
    "broken off": gettext_lazy("the model’s stream broke off"),
    "stopped": gettext_lazy("you stopped it"),
    "failed": gettext_lazy("it failed"),
    "empty": gettext_lazy("the model said nothing"),
    "only thought": gettext_lazy("the model only thought"),
    "only tools": gettext_lazy("the model only called tools"),
    "non-answer": gettext_lazy("by its words it is no answer"),
    "refusal": gettext_lazy("the model says that it does not know, or cannot"),
    "repeats itself": gettext_lazy("the model went in circles"),
    "leaked prompt": gettext_lazy("the model repeated what it was told to do"),
    "leaked call": gettext_lazy("the model showed what passes between it and its tools"),
    "placeholder": gettext_lazy("the model left a gap"),
    "error body": gettext_lazy("it is the error of a server"),
    "loop": gettext_lazy("the model asked for the same thing again"),
    "broken call": gettext_lazy("the model called a tool in a way that cannot be read"),
    "no model": gettext_lazy("no model is connected"),
    "question": gettext_lazy("a question, answered from memory"),
    "command": gettext_lazy("a command"),
    "save": gettext_lazy("what was to be saved is an entry of its own, or was refused"),
    "by Forge itself": gettext_lazy("Forge itself answered"),
    "from memory": gettext_lazy("it tells again what memory gave"),
    "quotes memory": gettext_lazy("it quotes what memory gave"),
    "recall": gettext_lazy("the model looked into memory for it"),
    "nothing stated": gettext_lazy("nothing was stated"),
}
