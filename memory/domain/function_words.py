"""Words that ask rather than name. Left out of a query, never of the index, and never all of a query.

English and French, folded as the index folds (no accents). Measured: see bench/README.md, recall.
"""

ENGLISH = """
a about after again all also am an and any are aren't as at be because been before being but by can can't could
couldn't did didn't do does doesn't doing don't down during each few for from further had has have having he he's her
here hers him his how i i'd i'll i'm i've if in into is isn't it it's its just me more most my no nor not now of off on
once only or other our ours out over own please s same she she's should so some such t than that that's the their
theirs them then there these they they're this those through to too under until up us very was wasn't we we're were
what what's when where where's which while who who's whom whose why will with won't would you you'd you'll you're your
yours
"""
FRENCH = """
a ai ainsi alors apres as au aussi autre aux avec avait avant avez avons ayant c ce ceci cela celle celles celui ces cet
cette ceux chez ci comme comment d dans de des depuis donc dont du elle elles en encore es est est-ce et etait etaient
etant ete etes etre eu eux faut fut il ils j je l la le les leur leurs lui m ma mais me meme mes moi mon n ne ni nos
notre nous on ont ou par parce pas pendant peu peut plus pour pourquoi qu quand que quel quelle quelles quels qu'est-ce
qui quoi s sa sans se sera ses si son sont sous sur t ta te tes toi ton tous tout toute toutes tres tu un une
vers vos votre vous y j'ai c'est qu'il qu'elle l'on s'il d'un d'une n'est m'a
"""
FUNCTION_WORDS = frozenset(ENGLISH.split()) | frozenset(FRENCH.split())
