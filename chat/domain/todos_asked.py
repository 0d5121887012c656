"""Does a text ask for what is to be done? The built-in responder lists it then: no search finds it by its words."""

from __future__ import annotations

import re

from memory.domain.ask_patterns import FLAGS, POLITE

WHEN = r"""(?:\ (?:today|tomorrow|now|next|this\ week|next\ week|these\ days|aujourd['’]hui|demain|maintenant
    |cette\ semaine|la\ semaine\ prochaine|heute|morgen|diese\ woche|hoy|mañana|esta\ semana))?"""
TODOS = re.compile(
    rf"""{POLITE}(?:
    (?:what(?:['’]?s|\ is|\ are)?|which|list|show(?:\ me)?|give\ me|do\ i\ have|are\ there|any)\b
        (?:\ (?:are|is|all|any|of|on|my|the|open|list))*\ (?:to-?dos?|to-do|todo\ list|to-do\ list|open\ tasks){WHEN}
    | what\ (?:do\ i\ (?:have|need)|have\ i\ got)\ to\ (?:do|get\ done){WHEN}
    | what\ is\ (?:left\ )?to\ (?:be\ done|do){WHEN}
    | (?:qu['’]est-ce\ que\ j['’]ai|qu['’]ai-je|j['’]ai\ quoi|que\ me\ reste-t-il
        |qu['’]est-ce\ qu['’]il\ (?:y\ a|me\ reste))\ à\ faire{WHEN}
    | (?:que\ dois-je|qu['’]est-ce\ que\ je\ dois)\ faire{WHEN}
    | (?:liste|montre(?:-moi)?|donne(?:-moi)?|quelles\ sont)(?:\ (?:moi|toutes|mes|les|choses))*
        \ (?:à\ faire|tâches|todos?)
    | was\ (?:muss\ ich|habe\ ich\ zu)\ (?:noch\ )?(?:tun|machen|erledigen){WHEN}
    | qué\ tengo\ que\ hacer{WHEN}
    )[\s?!.]*""",
    FLAGS,
)


def asks_for_todos(text: str) -> bool:
    """Is that all it asks? “What do I have to do to renew a passport?” asks for something else."""
    return bool(TODOS.fullmatch(text.strip().lstrip("¿")))
