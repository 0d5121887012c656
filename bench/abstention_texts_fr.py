"""The French half of bench/abstention_texts.py, where it is told how to read it."""

from __future__ import annotations

FRENCH = """
Le double des clés est chez Mme Ferrand, au deuxième étage.
Chez qui est le double des clés ?
Quel serrurier a changé la porte de la cave ?
Chez qui est le double des clés de la caravane ?

Mon dentiste est le Dr Lemoine, rue des Tanneurs ; prochain contrôle le 14 mars.
Quand dois-je retourner chez le dentiste ?
Quel opticien a fait mes lunettes ?
Quand dois-je retourner chez le cardiologue ?

user: J'ai enfin réservé le ferry, on part de Roscoff le vendredi soir. // Parfait, à Plymouth le samedi matin.
De quel port part notre ferry ?
Dans quel aéroport change-t-on d'avion pour Lisbonne ?
De quel port part la croisière pour Bergen ?

Théo est allergique aux arachides et au kiwi.
Qu'est-ce que Théo ne doit pas manger ?
Quel médicament tante Odile prend-elle pour sa tension ?
Qu'est-ce que Youssef ne doit pas manger ?

L'imprimante du bureau est la Brother du troisième, son adresse est 10.0.4.17.
Quelle est l'adresse de l'imprimante du bureau ?
Quel est le numéro de série du vidéoprojecteur ?
Quelle est l'adresse du traceur ?

user: Le chauffagiste est passé, la vanne est usée et la pièce coûte 85 euros. // Je vous rappelle de la \
commander ?
Combien coûte la pièce de la chaudière ?
Combien a coûté le nouveau lave-vaisselle ?
Combien coûte la pièce du sèche-linge ?

Notre chatte s'appelle Praline, elle est née en mai 2019.
Quel âge a notre chatte ?
De quelle espèce est le perroquet des voisins ?
Quel âge a le hamster ?

Gâteau aux pommes de mamie : 200 g de farine, 3 œufs, 150 g de sucre, 45 minutes à 180 degrés.
Combien de temps cuit le gâteau aux pommes ?
Combien de levure faut-il dans la pâte à pizza ?
Combien de temps cuisent les lasagnes ?

L'équipe se réunit tous les mardis à 10 h en salle Curie.
Dans quelle salle se réunit l'équipe ?
Qui rédige le procès-verbal de l'assemblée des actionnaires ?
Dans quelle salle a lieu le yoga ?

user: J'ai signé le bail aujourd'hui, 940 par mois et deux mois de caution. // Bravo ! La caution est donc de 1880.
Quel est le loyer du nouvel appartement ?
Quel est le taux du prêt pour le chalet ?
Quel est le loyer de l'entrepôt de Calais ?

Ma sœur Inès enseigne la chimie à Rennes.
Où travaille Inès ?
Quel métier exerce mon cousin Gaspard ?
Où travaille Marcelin ?

Le wifi du chalet s'appelle Héron, le mot de passe est affiché dans le placard.
Comment se connecter au wifi du chalet ?
Quelle est la combinaison du coffre-fort ?
Comment se connecter au wifi de la clinique ?

user: Dix kilomètres en 54 minutes ce matin, mon meilleur temps. // Bravo ! Votre ancien record était de 56.
Quel est mon meilleur temps sur dix kilomètres ?
Combien de longueurs ai-je nagées à la piscine ?
Quel est mon meilleur temps au triathlon ?

La voiture part en révision en octobre, au garage Barbier.
Qui fait la révision de notre voiture ?
Qu'a dit le mécanicien à propos de la moto ?
Qui fait la révision du tracteur ?

Nous avons choisi PostgreSQL pour la facturation à cause de ses verrous de ligne.
Pourquoi avons-nous pris PostgreSQL pour la facturation ?
Pourquoi avons-nous abandonné Kubernetes ?
Pourquoi avons-nous pris Elasticsearch pour le catalogue ?

user: L'école a appelé, la sortie de Mia au planétarium est repoussée au 23. // Je retiens que c'est le 23.
Quel jour a lieu la sortie scolaire de Mia ?
Qui joue le loup dans la pièce de théâtre ?
Quel jour a lieu le gala de natation de Nour ?

Le passeport est dans la chemise bleue, il expire en juin 2028.
Quand expire mon passeport ?
Où ai-je rangé l'acte de naissance ?
Quand expire mon permis de pêche ?

Les rosiers se taillent fin février, juste au-dessus d'un bourgeon extérieur.
Quand faut-il tailler les rosiers ?
Comment s'appelle l'engrais pour les tomates ?
Quand faut-il tailler la glycine ?

user: Encore un dîner chez Lucia, les calamars étaient délicieux. // Cela reste donc votre italien préféré.
Qu'avons-nous aimé chez Lucia ?
Quel restaurant de sushis Hélène a-t-elle conseillé ?
Qu'avons-nous aimé au Petit Bernard ?

Mon vélo est un Trek vert, numéro de cadre WTU184K.
Quel est le numéro de cadre de mon vélo ?
Quelle taille font les chaînes à neige ?
Quel est le numéro de cadre de la poussette ?

Le propriétaire est M. Petrov, joignable le soir seulement.
Quand peut-on joindre le propriétaire ?
Quel est le téléphone du plombier ?
Quand peut-on joindre la notaire ?

user: J'ai donné ma conférence sur les compilateurs à Grenoble, quatre-vingts personnes sont venues. // Un beau public.
Combien de personnes sont venues à ma conférence ?
Qui a relu mon article sur la cryptographie ?
Combien de personnes sont venues à la messe ?

Je prends mon café sans lait et sans sucre.
Comment est-ce que je prends mon café ?
Quelle marque de gin boit Olivier ?
Comment Philippine prend-elle son thé ?

Les factures partent à compta@larkfield.example avant le cinq du mois.
Avant quelle date faut-il envoyer une facture ?
Quel est le numéro de TVA de la filiale norvégienne ?
Avant quelle date faut-il envoyer la déclaration d'impôts ?

user: On a trouvé un nom pour le voilier : Mouette rieuse. // Un beau nom. Je le note ?
Comment s'appelle notre voilier ?
Qui a réparé l'accordéon ?
Comment s'appelle le canoë ?

La sauvegarde des photos tourne le dimanche soir vers le disque de l'entrée.
Où les photos sont-elles sauvegardées ?
Combien de temps le drone vole-t-il par batterie ?
Où les dossiers médicaux sont-ils sauvegardés ?

Jeanne et Pierre se marient le 6 septembre à Annecy.
Quand a lieu le mariage de Jeanne et Pierre ?
Où aura lieu le baptême des jumeaux ?
Quand a lieu l'enterrement de tante Prudence ?

user: La kiné veut que je fasse l'exercice pour l'épaule deux fois par jour. // Deux fois par jour, c'est noté.
Combien de fois par jour dois-je faire l'exercice pour l'épaule ?
Qu'a prescrit la dermatologue pour l'eczéma ?
Combien de fois par jour dois-je prendre les antibiotiques ?

La parcelle du jardin partagé coûte 60 par an, c'est la 17, au bord du canal.
Quel est le numéro de notre parcelle ?
Quand se réunissent les apiculteurs ?
Quel est le numéro de la cabine de plage ?

Je lis Les Misérables, j'en suis au chapitre 20.
Où en suis-je dans Les Misérables ?
Quelle série policière avons-nous regardée à Noël ?
Où en suis-je dans Ulysse ?

user: L'assureur rembourse 70 pour cent de la vitre cassée. // Il vous reste donc 30 pour cent.
Combien l'assurance rembourse-t-elle pour la vitre ?
À combien s'élevait l'héritage de l'oncle Gérard ?
Combien l'assurance rembourse-t-elle pour l'appareil auditif ?

La chorale répète le jeudi à la salle Sainte-Anne.
Quand répète la chorale ?
À quelle heure commence le cours de judo ?
Quand répète la fanfare ?

Le camion du tri passe un mercredi sur deux, le verre va à la borne près de la gare.
Où faut-il porter le verre ?
Qui ramone la cheminée ?
Où faut-il porter les vieilles peintures ?

Mon portable est un ThinkPad X1 avec 32 Go de mémoire.
Combien de mémoire a mon portable ?
Quelle carte graphique ai-je commandée ?
Combien de mémoire a la tablette ?

user: J'ai dit à Karim que j'irais chercher son colis lundi. // Je peux vous le rappeler lundi matin.
Qu'ai-je promis à Karim ?
Qu'ai-je prêté à Brigitte ?
Qu'ai-je promis à Svetlana ?

L'anniversaire de papa est le 2 novembre, il ne veut plus de cravates.
Quand est l'anniversaire de papa ?
Quand l'arrière-grand-père a-t-il émigré ?
Quand est l'anniversaire de Grégoire ?

Le serveur de préproduction est preprod.larkfield.example, on s'y connecte avec la clé de l'équipe.
Comment se connecter à la préproduction ?
Quelle règle du pare-feu bloque le standard téléphonique ?
Comment se connecter au logiciel de paie ?

user: Le vétérinaire veut que le lapin maigrisse, du foin seulement jusqu'en avril. // Du foin jusqu'en avril, compris.
Que peut manger le lapin ?
Combien prend le chenil pour un week-end ?
Que peut manger la tortue ?

À Porto nous étions à la Pensão Alegria, la chambre 12 a le balcon.
Quelle chambre de la Pensão Alegria a un balcon ?
Dans quelle auberge avons-nous dormi à Reykjavik ?
Quelle chambre de l'hôtel Esplanade a une baignoire ?

Je gagne 3400 net par mois depuis l'augmentation de janvier.
Combien est-ce que je gagne net ?
Combien de parts de la brasserie est-ce que je possède ?
Combien Winifred gagne-t-elle net ?

user: Mes chaussures de course sont usées, le 43 large allait bien. // Je retiens 43 large.
Quelle pointure de chaussures de course me va ?
Quelle longueur faisaient les skis que j'ai loués ?
Quelle pointure de chaussures de ski va à Dominique ?

Emma entre à la crèche le 4 janvier, l'adaptation dure deux semaines.
Combien de temps dure l'adaptation à la crèche ?
Dans quelle université Laurent a-t-il été admis ?
Combien de temps dure l'apprentissage à la boulangerie ?

Le couloir est peint en gris galet, deux pots ont suffi.
De quelle couleur est peint le couloir ?
Qui a retapissé le fauteuil ?
De quelle couleur est peinte la véranda ?

user: L'entretien chez Novabank s'est bien passé, ils rappellent sous dix jours. // Bien ! Donc avant le 19.
Sous combien de jours Novabank rappelle-t-elle ?
Qu'a proposé la recruteuse de la compagnie aérienne ?
Sous combien de jours Telford Associés rappelle-t-il ?

Le levain vit au frigo, on le nourrit chaque samedi avec du seigle.
Avec quoi nourrit-on le levain ?
Combien de temps la choucroute doit-elle fermenter ?
Avec quoi nourrit-on les poissons rouges ?

Voisins vigilants : appeler le brigadier Morel, poste 214.
Qui faut-il appeler chez les voisins vigilants ?
Qu'a conseillé l'avocate au sujet de la clôture ?
Qui faut-il appeler à l'ambassade ?

user: Je pèse 78 kilos maintenant, quatre de moins qu'au printemps. // À peu près un kilo de moins par mois.
Combien est-ce que je pèse ?
Quel était mon cholestérol à la dernière prise de sang ?
Combien pèse Ulrich ?

Nous avons convenu avec le marketing que le lancement est le 12 mai.
À quelle date est le lancement ?
Qui paie le stand du salon professionnel ?
À quelle date est l'éclipse ?

Le chauffage est réglé sur 19 le jour et 16 la nuit.
Sur combien de degrés le chauffage est-il réglé la nuit ?
Combien de panneaux compte le toit solaire ?
Sur combien de degrés le sauna est-il réglé ?

user: Le train pour Lille a été annulé, je veux les 48 euros de remboursement. // Vous avez jusqu'à la fin du mois.
De combien est le remboursement du train pour Lille ?
Où prend-on l'autocar pour Andorre ?
De combien est le remboursement de l'opéra ?

La professeure de violon est Mme Brandt, un cours coûte 35.
Combien coûte un cours de violon ?
Qui est le gardien de but de notre club ?
Combien coûte un cours d'équitation ?

Mon groupe sanguin est O négatif.
Quel est mon groupe sanguin ?
Quel vaccin faut-il pour le Kenya ?
Quel est le groupe sanguin de Cédric ?

user: Le toit de la remise fuit au-dessus de l'établi, j'ai mis un seau. // Je mets le toit sur votre liste ?
Où la remise fuit-elle ?
En quel bois est la pergola ?
Où l'aquarium fuit-il ?

Alice est partie à Montréal en 2021 avec ses deux garçons.
Dans quelle ville est partie Alice ?
Pourquoi Geneviève a-t-elle quitté le couvent ?
Dans quelle ville est parti Thaddée ?

Le virement pour l'association est de 15 par mois, à Eau pour tous.
Combien est-ce que je donne chaque mois à l'association ?
De combien est l'amende de stationnement ?
Combien est-ce que je paie chaque mois à la salle de sport ?

user: On teste avec pytest maintenant, unittest a disparu du dépôt. // C'est noté, pytest seulement.
Avec quoi lançons-nous nos tests ?
Qui maintient la bibliothèque Fortran ?
Avec quoi mesurons-nous la latence ?

Le piano a été vendu aux Lindqvist pour 600.
Qui a acheté le piano ?
Qui a hérité de l'horloge comtoise ?
Qui a acheté le clavecin ?

L'appareil photo prend des batteries NP-W126, deux de rechange dans la sacoche grise.
Quelles batteries prend l'appareil photo ?
Comment réinitialiser le thermostat ?
Quelles batteries prend le détecteur de métaux ?

user: Notre table au Lion d'Or est pour sept à vingt heures trente. // Sept personnes à 20 h 30, c'est noté.
Pour combien de personnes est la table au Lion d'Or ?
Qui apporte la tente au festival ?
Pour combien de personnes est la table à la Lanterne bleue ?

La nouvelle chaise arrive entre le 8 et le 12, commande 55120.
Quand arrive la chaise ?
De quelle couleur sont les rideaux commandés ?
Quand arrive le matelas ?

J'ai promis aux enfants une cabane dans l'arbre pour l'été.
Qu'ai-je promis aux enfants ?
Quel est le jouet préféré du chiot ?
Qu'ai-je promis au curé ?

user: Je ne mange plus de viande depuis 2016, le poisson me va. // Alors je proposerai du poisson ou des légumes.
Est-ce que je mange de la viande ?
Quel vin va avec le chevreuil ?
Est-ce que Rosalinde mange des fruits de mer ?

La carte du musée vaut pour nous deux et finit en avril.
Quand finit la carte du musée ?
Où avons-nous acheté la tapisserie ?
Quand finit la carte de réduction ?

Notes de répétition : le deuxième acte s'ouvre sur l'orage, lumières au tiers.
Sur quoi s'ouvre le deuxième acte ?
Qui dirige l'orchestre en tournée ?
Sur quoi s'ouvre la symphonie ?
"""
