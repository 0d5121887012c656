"""The words by which people.py knows of whom a clause is, in English, French, German and Spanish, folded."""

from __future__ import annotations

from memory.domain.retelling import PERSON, listed

#: The person, as the subject of what they say, and as whom somebody wants to do it.
SELF = PERSON | listed(
    """
    i i'm i'd i'll i've we we're we'd we'll we've j je nous on ich wir yo nosotros me us m mich mir uns myself
    """
)
THEY = listed(
    """
    he she they he's she's they're he'd she'd they'd he'll she'll they'll his her their hers him them il elle ils
    elles lui leur leurs sa ses er ihn ihm ihre ella ellos ellas
    """
)
KIN = listed(
    """
    sister brother mother father mom mum dad wife husband son daughter aunt uncle cousin niece nephew grandma
    grandpa grandmother grandfather parents sibling siblings kids children child partner girlfriend boyfriend fiance
    fiancee friend friends roommate flatmate neighbour neighbor neighbours neighbors boss manager colleague
    colleagues coworker teammate client customer landlord tenant teacher doctor dentist lawyer ex dog cat team
    family twin twins soeur soeurs frere freres mere pere maman papa femme mari epouse epoux fils fille tante oncle
    cousine neveu grand-mere grand-pere enfants enfant compagne compagnon copine copain ami amie amis amies voisin
    voisine voisins chef patron patronne collegue collegues locataire proprietaire prof medecin dentiste avocat
    chien chat chienne famille equipe beau-frere belle-soeur belle-mere beau-pere schwester bruder mutter vater frau
    mann sohn tochter freund freundin chef chefin kollege kollegin nachbar hermana hermano madre padre esposa marido
    mujer hijo hija amigo amiga jefe jefa vecino vecina
    """
)
#: What may stand before the first word of a text.
BEFORE = PERSON | listed(
    """
    the a an my our user's le la les l un une des mon ma mes notre nos du de d der die das ein eine mein meine el
    los las mi mis utilisateur's
    """
)
OF = listed("of de d du des von del")
#: What one promises somebody is still for oneself to do.
PROMISING = listed("promise promised promising owe owed promis promettre promets assure assured")
#: Heads of a clause that name nobody, verbs and adverbs, from so many letters on: Fred, Emily and Clément are people.
ADVERBS = (("ly", 7), ("ment", 8))
ENDINGS = (("ed", 6), ("ing", 6), *ADVERBS)
WHEN = listed(
    "yesterday today tomorrow tonight hier demain aujourd'hui aujourd gestern heute morgen ayer hoy maybe perhaps"
)
#: Verbs of which what stands before them is the subject.
FINITE = listed(
    """
    is are was were has have had runs run uses use needs need wants lives works likes loves hates prefers costs weighs
    est sont etait a ont avait utilise tourne aime habite travaille deteste prefere coute pese
    ist sind war hat wohnt arbeitet mag hasst es son era tiene vive trabaja
    """
)
#: Kin words that are something else without a possessive before them.
LOOSE = listed("chat cat dog chien team equipe client chef family famille prof ex mann frau manager partner")
POSSESSIVE = listed(
    """
    my our mon ma mes notre nos mein meine meinen meiner meinem unser unsere mi mis his her their son sa ses leur leurs
    """
)
#: Of those of THEY, the ones that may be whom something is done for.
WHOM = listed("his her their hers him them lui leur leurs sa ses ihn ihm ihre")
#: It rains, there is: no one.
NOBODY = listed("y faut pleut fait neige s")
