"""How dates are written in English: 10/03/2026 is October to one reader and March to the next.

Only what Forge shows; what its forms take is Django's own.
"""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
SHORT_DATETIME_FORMAT = "j M Y, H:i"
