"""How people ask, greet, request and say “remember”, in the languages that the question rule knows.

Openings are narrow on purpose: “What I like is tea”, “When I travel I take notes” and “Will is my brother” state
something. A question that opens like none of these and ends in no mark is taken for a statement.
"""

from __future__ import annotations

import re

FLAGS = re.IGNORECASE | re.VERBOSE | re.MULTILINE

#: Code, quoted lines, quotations: what others said. A quotation ends where the next of its kind opens: thousands of
#: marks that never close would each be followed to the end of the text.
ASIDE = re.compile(
    r"""
    ^```.*?(?:^```|\Z) | ^~~~.*?(?:^~~~|\Z) | ^\ {0,3}>[^\n]* | `[^`\n]+`
    | “[^“”]*” | «[^«»]*» | „[^„“”]*[“”] | 「[^「」]*」 | 『[^『』]*』 | (?<![\w"])"[^"\n]{2,}"(?!\w)
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)

#: Where a sentence ends. Not after an initial or an abbreviation, and not inside `node.js`. A run of marks is tried
#: from its first one alone.
STOP = re.compile(
    r"""
    (?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)(?<!\bMme)(?<!\bNr)(?<!\bbzw)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)
    (?<!\bz\.B)(?<!\bp\.ex)(?<!\b[A-Z])
    (?<![.!?…؟])[.!?…؟]+["'”’»)\]*_]*(?=\s|$) | [。！？]+["'”’」』）]* | \n+
    """,
    re.VERBOSE,
)

AUX = r"""(?:is|are|am|was|were|do|does|did|can|could|will|would|shall|should|may|might|has|have|had|'s|'re
        |'d|’s|’re)"""
SUBJECT = r"""(?:i|you|he|she|it|we|they|there|this|that|these|those|my|your|his|her|our|their|its|any\w*|some\w*
    |every\w*|no\w*\ one|nobody)\b"""
ENGLISH = r"""
    (?:so|and|but|ok(?:ay)?|well|hey|please|now|then|also|hi|hello)[,\s]+(?:{core}) | {core}
""".replace(
    "{core}",
    rf"""(?:
    (?:what|who|whom|whose|where|why|how|which)(?:\ ?{AUX})\b(?!\ (?:why|how)\b) | (?:what|who|where|how|when)s\b
    | how\ (?:many|much|long|often|old|far|big|fast|come|about|to)\b | what\ about\b | why\ not\b
    | (?:what|which|whose)\ (?!{SUBJECT})(?:\w+\ ){{1,3}}?{AUX}\b | (?:what|which)\ (?:time|kind|sort|type
        |port|day|version)\b
    | (?:at|on|in|by|for|from|to|with)\ (?:what|which|whom|whose)\b
    | when\ (?:is|are|was|were|do|does|did|will|can|could|should|would)\b
    | (?:is|are|am|was|were|does|did|can|could|would|shall|should|might|has
        |isn't|aren't|wasn't|weren't|doesn't|don't|didn't|can't|couldn't|won't|wouldn't|shouldn't|haven't
        |hasn't)\ {SUBJECT}
    | (?:is|are|was|were|does|did|can|could|should|would|has)\ (?:the|a|an)\b
    | (?:do|have|will|had|may)\ (?:i|you|he|she|we|they|there|any\w*)\b | will\ (?:it|this|that|the|my|your)\b
    | do\ (?:my|our|your|his|her|their|these|those)\ \w+\ \w+
    | (?:tell|remind|show)\ me\ (?:what|who|whom|where|when|why|how|which|whose|if|whether|about|of)\b
    | (?:do|did|would|could)\ you\b | any\ (?:idea|clue)\b | (?:i\ )?wonder(?:ing)?\ (?:if|whether|what|who
        |where|when|why|how)\b
    )""",
)
FRENCH = r"""(?:(?:et|mais|alors|bon|dis|donc|ok|s'il\ te\ plaît|stp)[,\s]+)?(?:
    est-ce\b | qu['’]est-ce\b | qu['’]\w+-t-(?:il|elle|on)\b | (?:où|ou)\ (?:est|sont|était|se|ai|as|a|va
        |vont|puis|peut)\b
    | (?:qui|quoi|que|comment|pourquoi|combien|quand|lequel|laquelle|lesquels|lesquelles)\ (?:est|sont
        |était|étaient|es|ai|as|a
        |ont|avons|avez|fait|fais|font|peut|peux|puis|va|vas|vais|dois|doit|de|d['’]|s['’]|se|ça
        |c['’])(?:\b|(?<=['’]))
    | (?:qui|que|comment|pourquoi|combien|quand|où)\ (?:\w+\ )?\w+-(?:t-)?(?:je|tu|il|elle|on|nous|vous|ils
        |elles|ce)\b
    | pourquoi\ (?:le|la|les|l['’]|un|une|mon|ma|mes|ce|cette|il|elle|on|tu|je|nous|vous|ça|pas)
    | (?:à|de|sur|dans|en|pour|avec|par|depuis|chez|vers|sous)\ (?:quel|quelle|quels|quelles|qui|quoi|combien)\b
    | (?:quel|quelle|quels|quelles)\ (?!que\b)\w+
    | (?!rendez-vous)\w+-(?:t-)?(?:je|tu|il|elle|on|nous|vous|ils|elles|ce)\b(?!-)
    | (?:rappelle[sz]?|redis)[-\ ]moi\ (?:le|la|les|l['’]|mon|ma|mes)\b
    | (?:dis|rappelle|montre|dites|rappelez)-moi\ (?:où|quand|comment|pourquoi|combien|qui|si|ce\ que|quel\w*)\b
    | (?:c['’]est|c['’]était|c|cest)\ (?:quoi|où|quand|combien|qui\ (?:qui|que))\b | (?:tu|vous)\ (?:sais|savez
        |te\ souviens|vous\ souvenez)\b
    )"""
GERMAN = r"""(?:(?:und|aber|also|ok)[,\s]+)?(?:
    (?:was|wer|wen|wem|wo|wohin|woher|warum|wieso|weshalb|wann|wie|wozu|womit)\ (?:ist|sind|war|waren|hat
        |haben|hatte|kann
        |können|soll|muss|wird|werden|heißt|heisst|heißen|läuft|geht|macht|machen|viel\w*|lange|oft|alt
        |groß|kommt|steht|liegt)\b
    | (?:was|wo|wann|warum|wer)\ \w+\ (?:das|der|die|ich|du|er|es|sie|wir|ihr|mein\w*|dein\w*|ein\w*)\b
    | (?:welche[rsnm]?)\ \w+ | (?:auf|in|an|mit|bei|für|von|zu|um)\ (?:welche[rsnm]?|wie)\b
    | (?:ist|sind|war|hat|habe|haben|kann|kannst|können|soll|sollen|muss|darf|wird|weißt|weisst
        |gibt)\ (?:ich|du|er|es|wir|ihr
        |sie|der|die|das|mein\w*|dein\w*|ein\w*)\b
    )"""
SPANISH = r"""(?:(?:y|pero|entonces)[,\s]+)?(?:
    (?:qué|quién|quiénes|cuál|cuáles|cuándo|cuánto|cuánta|cuántos|cuántas|dónde|adónde|cómo)\b | por\ qué\b
    | (?:en|a|de|con|para|desde)\ (?:qué|quién|cuál|dónde|cuándo)\b | (?:sabes|recuerdas)\b
    )"""
CHINESE = r"""(?:请问|請問|为什么|為什麼|为何|怎么|怎麼|怎样|怎樣|什么|什麼|谁|誰|哪|几点|幾點|几个|多少
        |是否|是不是|有没有|有沒有|能不能|可不可以)"""
JAPANESE = r"""(?:何(?!度も|とか|でも|も|か)|なに|なぜ|どうして|どうやって|どうすれば|どこ(?!か|でも|も)
        |いつ(?!も|か|でも)|だれ|誰(?!か|でも|も)|どれ|どの|どちら|いくら|いくつ)"""

OPENS = re.compile("|".join([ENGLISH, FRENCH, GERMAN, SPANISH, CHINESE, JAPANESE]), FLAGS)
#: In Chinese and Japanese the mark of a question is its last word.
ENDS = re.compile(
    r"""(?:[吗嗎呢] | (?:什么|什麼|怎么|怎麼|怎样|哪[个個里裡儿兒些]|多少|为什么|為什麼)[^，,。都也]*
    | (?:です|ます|でした|ました|でしょう|だろう)か | (?:哪里|哪裡|哪儿|什么|什麼|多少|几点|谁|誰)
    | 何(?:番|時|人|個)?ですか)$""",
    re.VERBOSE,
)

#: “Hi, I'm Anna” and “No, it's 9090” state something: such words are no part of a greeting.
TELLING = r"""(?:i|i['’]?m|my|we|our|it|it['’]?s|that['’]?s|je|j['’]\w+|mon|ma|mes|moi|nous|notre|c['’](?:est|était)
        |ich|mein\w*|wir|es|soy|yo|mi|mis|\w*\d[\w.:,-]*)"""
GREETING = re.compile(
    rf"""(?:hello|hi|hey|good\ (?:morning|afternoon|evening|night)|bonjour|bonsoir|salut|coucou|hallo
        |guten\ (?:morgen|tag|abend)
    |moin|hola|buenos\ días|buenas\ (?:tardes|noches)|thanks|thank\ you|thx|merci|danke|gracias|bye|goodbye
        |au\ revoir
    |tschüss|adiós|ok|okay|yes|no|oui|non|ja|nein|sí|你好|您好|早上好|晚上好|谢谢|こんにちは|おはよう\w*
        |こんばんは|ありがとう\w*)
    (?:[\s,]+(?:(?!{TELLING}(?![\w'’-]))[\w'’-]+[\s,]*){{0,3}})?""",
    FLAGS,
)

THING = r"""(?:me|us|the|a|an|my|your|our|this|that|these|those|all|every|it|them|some|two|three|\d+|for|to
        |up|out|down|on|off)\b"""
REQUEST = re.compile(
    rf"""(?:(?:please|now|then|ok(?:ay)?|and)[,\s]+)?(?:
    (?:run|show|delete|fix|write|list|find|explain|summari[sz]e|translate|give|tell|make|create|open|close
        |add|remove|update
      |generate|check|compare|describe|help|read|look|search|send|print|rename|move|copy|install|restart
        |start|stop|build
      |deploy|test|refactor|review|draft|suggest|calculate|convert|sort|merge|push|pull|commit|revert
        |format|set|turn
      |watch|let|try|use|go|come|bring|put|take|call|book|order|schedule|cancel)\ {THING}
    | watch\ out\b | help\b | mention\ only\b | answer\ (?:with\ )?(?:only|yes|no)\b
    | (?:montre|exécute|supprime|écris|liste|trouve|explique|résume|traduis|donne|dis|fais|crée|ouvre|ferme
        |ajoute|corrige
      |cherche|envoie|compare|décris|lis|vérifie|lance|arrête|relance|calcule|génère|prépare|propose
        |rédige)(?:z|s|-moi|z-moi)?
      \ (?:moi|le|la|les|l['’]|un|une|des|du|mon|ma|mes|ce|cet|cette|ces|tout|toute|tous|toutes|que|à|avec|pour)
    | (?:montre|donne|dis|explique|envoie|lis|fais|écris)(?:z|s)?-(?:moi|nous|le|la|les)\b
    | (?:montrer|exécuter|supprimer|écrire|lister|trouver|expliquer|résumer|traduire|donner|créer|ouvrir
        |fermer|ajouter
      |corriger|chercher|envoyer|comparer|vérifier|lancer)\ (?:le|la|les|l['’]|un|une|des|du|mon|ma|mes|ce
        |cet|cette|ces)
    | (?:zeig|zeige|lösche|schreib|schreibe|erkläre|erklär|gib|mach|finde|öffne|liste)\ (?:mir|den|die|das
        |ein\w*|alle)\b
    | (?:muéstrame|dime|escribe|explica|borra|elimina|busca|resume|traduce|dame|haz|ejecuta)\b
    | (?:帮我|幫我|请帮|給我|给我|告诉我|告訴我)
    )""",
    FLAGS,
)

#: “Can you remember that …?”: the mark at the end belongs to the ask, and not to its words.
CAN_YOU = r"""(?:(?:can|could|would|will)\ you|(?:peux|pourrais)[-\ ]tu|(?:est-ce\ que\ )?tu\ (?:peux|pourrais)
        |(?:pouvez|pourriez)[-\ ]vous|kannst\ du|puedes)"""
ASKED_POLITELY = re.compile(rf"(?:\w+[,\ ]+)?{CAN_YOU}\b", FLAGS)
#: As it is typed in a hurry too.
REMEMBER = r"(?:remember|remeber|rember|remembr|remmember|rememeber|remenber|memori[sz]e)"
#: “remind me to …”: what follows is to be done.
TO_DO = r"""(?:
    remind\ me(?:\ please)?\ to\b\s* | (?:my\ )?(?:to[-\ ]?dos?|reminder)\s*: \s*
    | rappelle[sz]?[-\ ]moi\ (?!de\ qu)(?:de\b\s*|d['’]) | (?:à|a)\ faire\s*: \s*
    | erinner(?:e)?\ mich\ daran,\ (?:dass\b\s*)? | (?:zu\ erledigen|por\ hacer)\s*: \s*
    )"""
POLITE = r"""(?:(?:please|pls|ok(?:ay)?|hey|hi|hello|so|and|also|bonjour|salut|stp|svp|s['’]il\ (?:te
        |vous)\ plaît|bitte|por\ favor
    |et|und|y|btw|by\ the\ way|au\ fait|{can_you})[,\s]+){0,3}""".replace("{can_you}", CAN_YOU)
#: What stands before the words of an explicit ask.
ASKS = re.compile(
    rf"""{POLITE}(?:{TO_DO}
    | (?:note\ to\ (?:self|myself)|for\ the\ record|pour\ mémoire|pense-bête|(?:à|a)\ (?:retenir|noter))\s*: \s*
    | (?:{REMEMBER}|don['’]?t\ forget|do\ not\ forget|never\ forget|remind\ me|keep\ in\ mind)
        (?:\ please)?(?:[,]?\ that\b\s*:?|[,]?\ this\s*[:,]|\ to\b|\s*[:,]) \s*
    | (?:{REMEMBER}|don['’]?t\ forget|do\ not\ forget)\ (?!(?:when|how|what|where|who|why|if|this
        |that|it|me|him|her|us|them)\b)
    | (?:note|save|store|write\ down|record|make\ a\ note|take\ note|jot\ down)(?:\ down)?
        (?:\ (?:this|it))?(?:[,]?\ that\b(?!\ (?:as|to|in|into|on|under)\b)\s*:?|\s*:|\ the\ fact\ that\b) \s*
    | (?:retiens|retenez|(?:souviens|rappelle)[-\ ]toi|(?:souvenez|rappelez)[-\ ]vous|n['’]?oublie[zs]?\ pas
        |rappelle[zs]?[-\ ]moi|(?:pense[zs]?|pensez)\ à\ (?:noter|retenir)
        |mémorise[zs]?|note[zs]?|(?:je\ (?:veux|voudrais)|j['’]aimerais)\ que\ (?:tu\ retiennes|vous\ reteniez)
        |enregistre[zs]?|garde[zs]?\ en\ (?:tête|mémoire)|retenir|noter|se\ souvenir)
        (?:\ bien)?(?:\ ceci|\ ça|\ ce\ fait)?\s*(?:\ que\b|\ qu['’]|\ de\b(?!\ qu)|\ d['’]|\s*:) \s*
    | (?:retiens|retenez|souviens[-\ ]toi|n['’]?oublie[zs]?\ pas|mémorise[zs]?)\ (?=\w)
    | (?:merk(?:e)?\ dir|merken\ sie\ sich|vergiss\ nicht|vergessen\ sie\ nicht|denk(?:e)?\ daran
        |erinner(?:e)?\ dich|notier(?:e)?(?:\ dir)?
        |behalte)(?:\ bitte)?(?:\s*,?\ dass\b|\s*,?\ daran,\ dass\b|\s*:) \s*
    | (?:merk(?:e)?\ dir)\ (?=\w)
    | (?:recuerda|recuerde|recordar|no\ olvides|no\ olvide|anota|anote|apunta|memoriza|acuérdate\ de
        |ten\ en\ cuenta)
        (?:\ que\b|\s*:) \s*
    | (?:recuerda)\ (?=\w)
    | (?:请|請)?(?:你)?(?:记住|記住|记得|記得|记下|記下|牢记|别忘了|別忘了|不要忘记|不要忘記)(?:了
        |一下)?\s*[：:，,]?\s*
    | (?:覚えておいて|覚えといて|覚えて|メモして|記憶して|忘れないで)(?:おいて)?(?:ください|下さい|ね
        |よ)?\s*[：:、,。]\s*
    )""",
    FLAGS,
)
TO_BE_DONE = re.compile(rf"{POLITE}{TO_DO}", FLAGS)
#: “We went to Rome. Remember?” asks.
NOT_ASKED = r"(?=[\s.!]*$)"
#: “The port is 8080, remember that.”: the words stand before the ask.
SAID_BEFORE = re.compile(
    rf"""(?:
    [,;:—–-]\s*(?:(?:please|pls)\ (?:{REMEMBER}|note) | (?:à|a)\ (?:retenir|noter){NOT_ASKED})
    | ^(?:(?:please|pls|so|and|but|btw),?\ )?(?:{REMEMBER}|don['’]?t\ forget|keep\ in\ mind)
        (?:,?\ (?:please|pls))?{NOT_ASKED}
    | ^(?:(?:et|mais),?\ )?(?:(?:à|a)\ (?:retenir|noter|ne\ pas\ oublier)|retiens|n['’]?oublie[zs]?\ pas)
        (?:,?\ (?:stp|svp|s['’]il\ (?:te|vous)\ plaît))?{NOT_ASKED}
    | [,;.:—–-]?\s{{0,9}}\b(?:please\ )?(?:{REMEMBER}|note|don['’]?t\ forget|do\ not\ forget|never\ forget|keep|save
        |store|record|write|jot|make\ a\ note\ of|take\ note\ of|bear)
        \ (?:this|that|it|both|these|those|all\ (?:of\ )?(?:this|that|it))
        (?:,?\ (?:please|pls|plz|thanks|thank\ you|thx|ok(?:ay)?|down|in\ mind|well|for\ (?:me|later|next\ time)))*
    | [,;.:—–-]?\s{{0,9}}\b(?:retiens[-\ ]l[ea]s?|(?:retiens|retenez|mémorise[zs]?|note[zs]?|enregistre[zs]?|garde[zs]?)
        (?:\ bien)?\ (?:ça|cela|ceci)(?:\ en\ (?:tête|mémoire))?|souviens[-\ ]t['’]en|souvenez[-\ ]vous[-\ ]en
        |note[zs]?[-\ ]l[ea]s?|n['’]oublie[zs]?\ pas(?:\ (?:ça|cela))?
        |merk(?:e)?\ dir\ das|merken\ sie\ sich\ das|vergiss\ das\ nicht
        |notier(?:e)?\ (?:dir\ )?das|recuérdalo|recuerda\ (?:esto|eso)|no\ lo\ olvides|anótalo)
        (?:,?\ (?:bien|merci|danke|gracias|ok|s['’]il\ (?:te|vous)\ plaît|stp|svp|bitte|por\ favor))*
    | (?:と|を|って|、)?(?:覚えておいて|覚えといて|覚えていて|メモして|メモしておいて|記憶して
        |忘れないで)(?:ください|下さい|ね|よ)*
    )[\s.!。！?？]*$""",
    FLAGS,
)
#: Before such an ask: nothing that it is an ask of.
POLITE_ONLY = re.compile(rf"{POLITE}\s*", FLAGS)
