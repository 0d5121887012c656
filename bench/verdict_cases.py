"""Eight questions with a block each, for bench/verdict.py and written for it: four blocks answer, four only look so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """`line`: what of the block answers the question; empty where nothing does."""

    question: str
    block: str
    line: str = ""

    @property
    def answers(self) -> bool:
        return bool(self.line)


CASES = (
    Case(
        "Why did the nightly backup fail?",
        "02:00:01 backup: started, target /mnt/vault\n"
        "02:14:37 backup: write error: no space left on device\n"
        "02:14:38 backup: stopped with status 2",
        "no space left on device",
    ),
    Case(
        "Which address does the web server listen on?",
        "worker_processes 2\nlisten 10.0.4.17:8443 ssl\nserver_name larkfield.example\nkeepalive_timeout 30",
        "10.0.4.17:8443",
    ),
    Case(
        "When was the certificate renewed?",
        "2026-05-02 certbot: larkfield.example is due in 12 days\n"
        "2026-05-09 certbot: renewed larkfield.example, valid until 2026-08-07\n"
        "2026-05-09 nginx: reloaded",
        "2026-05-09",
    ),
    Case(
        "Qui a redémarré le service de courrier ?",
        "09:12 postfix : file d'attente 214 messages\n"
        "09:15 sudo : ines lance « systemctl restart postfix »\n"
        "09:16 postfix : file d'attente 3 messages",
        "ines",
    ),
    Case(
        "Why did the database restart at noon?",
        "11:58:10 db: checkpoint complete, 412 buffers\n"
        "12:00:03 db: starting up\n"
        "12:00:04 db: ready to accept connections",
    ),
    Case(
        "How much memory does the mail server have?",
        "mail: disk 64 GB, 31 % used\nmail: load 0.4\nweb: memory 16 GB, 9 GB free\nmail: up 41 days",
    ),
    Case(
        "Which user deleted the invoices folder?",
        "10:01 nas: larkfield opened /invoices\n10:03 nas: /invoices is missing\n10:05 nas: snapshot of 10:00 kept",
    ),
    Case(
        "Quel est le mot de passe du routeur ?",
        "routeur : modèle RX-200, micrologiciel 4.1\nrouteur : mot de passe changé le 3 mai\nrouteur : wifi actif",
    ),
)
