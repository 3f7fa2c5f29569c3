/** Countries of the pages: money, numbers, days, rates, tax ids, and names that no company has. */

export type Country = {
  readonly code: string
  readonly language: string
  readonly currency: string
  /** Sign of groups and of decimals; `lakh` for Indian groups. */
  readonly signs: string
  /** Sign beside an amount: `#` stands for the amount. */
  readonly money: readonly string[]
  /** Days as they are written: D, DD, M, MM, MMM, MMMM, YY, YYYY. */
  readonly days: readonly string[]
  readonly rates: readonly number[]
  /** Form of a tax id: `0` a digit, `@` a letter. */
  readonly taxId: string
  readonly suppliers: readonly string[]
  readonly streets: readonly string[]
  readonly towns: readonly string[]
}

const ROWS = `
DE;de;EUR;.,;# €|EUR #|# EUR;DD.MM.YYYY|D. MMMM YYYY|DD.MM.YY;19|7;DE000000000;Brückner Haustechnik GmbH|
  Lavendel & Zimt|Janne Osterkamp – Grafik|Nordwind Medienwerkstatt UG (haftungsbeschränkt)|Tischlerei Habermann|
  Kanzlei Dr. Ohlendorf;Lindenallee 18|Am Werder 4|Bahnhofstr. 77b;24103 Kiel|39104 Magdeburg|97070 Würzburg
AT;de;EUR;.,;€ #|# EUR|EUR #;DD.MM.YYYY|D. MMMM YYYY;20|10;ATU00000000;Alpenglück Bergsport GmbH|
  Elektro Hinterholzer e.U.|Kaffeerösterei Mohrenkopf|Mag. Resi Stadlbauer;Mariengasse 12|Hauptplatz 3/2;8010 Graz|
  4020 Linz|5020 Salzburg
CH;de;CHF;’.;CHF #|# CHF|Fr. #;DD.MM.YYYY|D. MMMM YYYY;8.1|2.6;CHE-000.000.000 MWST;Gfeller Holzbau AG|
  Atelier Zumstein|Bächtold Treuhand GmbH|Velo Rüegg;Seefeldstrasse 91|Dorfgasse 2;8008 Zürich|3011 Bern|6003 Luzern
CH;fr;CHF;’.;CHF #|# CHF;DD.MM.YYYY|D MMMM YYYY;8.1|2.6;CHE-000.000.000 TVA;Menuiserie du Léman Sàrl|
  Corinne Aubry Traductions;Rue du Lac 14|Avenue de la Gare 5;1003 Lausanne|1204 Genève
FR;fr;EUR; ,;# €|# EUR|€ #;DD/MM/YYYY|D MMMM YYYY;20|10|5.5;FR00000000000;Les Jardins de Mauve SARL|
  Plomberie Castagnier|Studio Petite Ourse|Imprimerie du Canal SAS|Amandine Roussel-Thé Photographe;8 rue des Lilas|
  27 bis, boulevard Gambetta|Lieu-dit Le Moulin;44000 Nantes|35700 Rennes|67000 Strasbourg
BE;fr;EUR;.,;# €|€ #|EUR #;DD/MM/YYYY|D MMMM YYYY;21|6;BE0000000000;Ardenne Couvertures SRL|Chocolaterie Delmotte|
  Ixelles Design SA;Rue Haute 210|Chaussée de Wavre 31;1000 Bruxelles|4000 Liège
BE;nl;EUR;.,;€ #|# EUR;DD/MM/YYYY|D MMMM YYYY;21|6;BE0000000000;Garage Verstraeten BV|Bloemen Lieve|
  Dakwerken Peeters-Claes NV;Molenstraat 66|Grote Markt 9;9000 Gent|2800 Mechelen
NL;nl;EUR;.,;€ #|# EUR;DD-MM-YYYY|D MMMM YYYY;21|9;NL000000000B01;Fietsenmakerij Kettinga|Polder Software B.V.|
  Loodgietersbedrijf Van Eyk|Studio Maan;Herengracht 502|Dorpsstraat 8a;1017 CB Amsterdam|7411 KT Deventer
LU;fr;EUR;.,;# €|EUR #;DD/MM/YYYY|D MMMM YYYY;17|8;LU00000000;Fiduciaire Kirchberg-Neuhof S.à r.l.|Menuiserie Thill;
  12, route d’Arlon|3, rue de l’Eau;L-1140 Luxembourg|L-4010 Esch-sur-Alzette
IT;it;EUR;.,;€ #|# €|EUR #;DD/MM/YYYY|D MMMM YYYY;22|10|4;IT00000000000;Falegnameria Bruschi S.n.c.|
  Vetreria Lagunare S.r.l.|Studio Legale Morandini|Trattoria da Nives;Via Garibaldi 41|Piazza del Duomo 2;
  50122 Firenze|35121 Padova|16121 Genova
ES;es;EUR;.,;# €|€ #|# EUR;DD/MM/YYYY|D de MMMM de YYYY|DD-MM-YYYY;21|10;B00000000;Talleres Montoro S.L.|
  Floristería Azahar|Inés Carballo Arquitectura|Suministros Levante S.A.;Calle Mayor, 33|Avda. del Puerto 120;
  18001 Granada|15003 A Coruña|07001 Palma
PT;pt;EUR;.,;# €|€ #|EUR #;DD/MM/YYYY|DD-MM-YYYY;23|6;000000000;Padaria Rio Claro, Lda.|Oficina Teixeira & Filhos|
  Marta Quintela Design;Rua das Flores, 14|Av. da República 88;4050-265 Porto|1050-190 Lisboa
GB;en;GBP;,.;£#|GBP #|£ #;DD/MM/YYYY|D MMMM YYYY|DD MMM YYYY|DD-MMM-YYYY;20|5;GB 000 0000 00;Fernhill Roofing Ltd|
  Copper Kettle Bakery|J. Ashdown & Sons|Tideway Systems Limited|Priya Nambiar Consulting;18 Chapel Street|
  Unit 7, Weaver’s Yard;LS2 7PX Leeds|BS1 4DJ Bristol|EH3 9AA Edinburgh
IE;en;EUR;,.;€#|EUR #;DD/MM/YYYY|D MMMM YYYY;23|13.5;IE0000000@@;Shannonside Joinery Limited|Bramble & Bee|
  Clodagh Fennelly Photography;4 Bridge Street|21 The Quay;T12 X8NN Cork|H91 E9X2 Galway
US;en;USD;,.;$#|USD #|$# USD;MM/DD/YYYY|MMMM D, YYYY|MMM D, YYYY|M/D/YY;8.25|6;00-0000000;
  Cedar Fork Landscaping LLC|Blue Lantern Studio|Hollis & Pruett Inc.|Maggie’s Corner Deli|Stackmoor Cloud, Inc.;
  1420 Alder Avenue|77 W Mercer St, Suite 300;Portland, OR 97205|Austin, TX 78701|Madison, WI 53703
CA;en;CAD;,.;$#|CAD #|CA$#;YYYY-MM-DD|MMMM D, YYYY|MM/DD/YYYY;5|13;000000000 RT0001;Maple Ridge Plumbing Ltd.|
  Prairie Loom|North Arrow Analytics Inc.;210 Granville St|1188 Rue Peel;Vancouver, BC V6C 1S4|Toronto, ON M5V 2T6
IN;en;INR;lakh;₹#|Rs. #|INR #;DD-MM-YYYY|DD/MM/YYYY|DD-MMM-YYYY|DD MMM YYYY;18|12|5;27@@@@@0000@1Z0;
  Sundaram Textiles Pvt. Ltd.|Kaveri Traders|Nilgiri Web Solutions LLP|Shree Balaji Electricals;14, M.G. Road|
  Plot 22, Sector 18;Pune 411001|Bengaluru 560001|Chennai 600002
AU;en;AUD;,.;$#|AUD #|A$#;DD/MM/YYYY|D MMM YYYY|D MMMM YYYY;10;00 000 000 000;Wattle Grove Electrical Pty Ltd|
  Banksia Bookkeeping|Coral Bay Charters;55 Flinders Lane|3/18 Hume Highway;Melbourne VIC 3000|Brisbane QLD 4000
NZ;en;NZD;,.;$#|NZD #|NZ$#;DD/MM/YYYY|D MMMM YYYY;15;00-000-000;Kauri Coast Builders Limited|Tui & Fern;
  9 Lambton Quay|40 Ponsonby Road;Wellington 6011|Auckland 1011
JP;ja;JPY;,.;¥#|#円|JPY #;YYYY年M月D日|YYYY/MM/DD;10;T0000000000000;株式会社青葉製作所|合同会社みどり企画|さくら印刷;東京都千代田区丸の内1-2-3|
  大阪府大阪市北区梅田2-4-9;〒100-0005|〒530-0001
JP;en;JPY;,.;¥#|JPY #;YYYY/MM/DD|MMMM D, YYYY|YYYY-MM-DD;10|8;T0000000000000;Aobayama Works K.K.|
  Kitsune Translations;1-2-3 Marunouchi|2-4-9 Umeda;Chiyoda-ku, Tokyo 100-0005|Kita-ku, Osaka 530-0001
TN;fr;TND; ,;# TND|# DT|TND #;DD/MM/YYYY|D MMMM YYYY;19|7;0000000/@/@/M/000;Société Carthage Emballages SARL|
  Atelier Zitouna|Medina Conseil;14 avenue Habib Bourguiba|Rue de Marseille 8;1001 Tunis|4000 Sousse
KW;en;KWD;,.;KWD #|KD #|# KWD;DD/MM/YYYY|D MMMM YYYY;0;;Al Noor Trading Co. W.L.L.|Gulf Pearl Catering|
  Dasman Printing Press;Block 4, Street 12|Fahad Al-Salem Street;Kuwait City 13001|Hawalli 32001
PL;pl;PLN; ,;# zł|# PLN|PLN #;DD.MM.YYYY|YYYY-MM-DD|D MMMM YYYY;23|8;PL0000000000;Piekarnia Złoty Kłos Sp. z o.o.|
  Zakład Stolarski Wrona|Biuro Rachunkowe Saldo-Plus|Anna Jaworek Tłumaczenia;ul. Długa 17|al. Jana Pawła II 45/3;
  31-147 Kraków|80-001 Gdańsk|50-062 Wrocław
CZ;cs;CZK; ,;# Kč|# CZK|CZK #;DD.MM.YYYY|D. M. YYYY|D. MMMM YYYY;21|12;CZ00000000;Truhlářství Beránek s.r.o.|
  Kavárna U Lípy|Ing. Pavel Souček;Dlouhá 22|Masarykova 5;602 00 Brno|301 00 Plzeň
SK;sk;EUR; ,;# €|# EUR;DD.MM.YYYY|D. M. YYYY;23|19;SK0000000000;Horská Chata Javorina s.r.o.|Stolárstvo Kováč;
  Hlavná 8|Námestie slobody 3;811 01 Bratislava|040 01 Košice
RO;ro;RON;.,;# lei|# RON|RON #;DD.MM.YYYY|DD/MM/YYYY;19|9;RO0000000;Carpatica Mobila SRL|Brutăria Sorina|
  Atelier Dacia Nord SRL;Str. Lungă 44|Bd. Eroilor 12;500035 Brașov|400129 Cluj-Napoca
HU;hu;HUF; ,;# Ft|# HUF|HUF #;YYYY. MM. DD.|YYYY.MM.DD.|YYYY-MM-DD;27|5;HU00000000;Tündérkert Kertészet Kft.|
  Balaton Könyvelő Bt.|Kovács és Fia;Kossuth Lajos utca 10|Petőfi tér 2;1053 Budapest|6720 Szeged
SE;sv;SEK; ,;# kr|# SEK|SEK #;YYYY-MM-DD|D MMMM YYYY;25|12;SE000000000001;Björkhaga Snickeri AB|Lilla Bageriet|
  Nordanvind Konsult;Storgatan 12|Hamngatan 4;411 38 Göteborg|903 26 Umeå
DK;da;DKK;.,;# kr.|DKK #|# DKK;DD-MM-YYYY|DD.MM.YYYY|D. MMMM YYYY;25;DK00000000;Havblik Tømrer ApS|Grønne Fingre|
  Vesterhav Revision A/S;Nørregade 31|Strandvejen 140;8000 Aarhus C|5000 Odense C
FI;fi;EUR; ,;# €|# EUR;D.M.YYYY|DD.MM.YYYY;25.5|14;FI00000000;Koivurannan Puutyö Oy|Kahvila Mustikka|
  Saimaan Tilitoimisto Oy;Mannerheimintie 21|Satamakatu 3;00100 Helsinki|33200 Tampere
NO;nb;NOK; ,;kr #|# NOK|NOK #;DD.MM.YYYY|D. MMMM YYYY;25|15;NO 000 000 000 MVA;Fjellbekk Rør AS|Solsiden Blomster|
  Havgløtt Regnskap;Storgata 5|Bryggen 19;0155 Oslo|5003 Bergen
BR;pt;BRL;.,;R$ #|BRL #;DD/MM/YYYY;0;00.000.000/0001-00;Padaria Boa Vista Ltda.|Ipê Amarelo Soluções|
  Oficina do Zé ME;Rua Augusta, 1200|Av. Paulista 900;01305-100 São Paulo|20040-020 Rio de Janeiro
MX;es;MXN;,.;$#|MXN #|$# MXN;DD/MM/YYYY|D de MMMM de YYYY|YYYY-MM-DD;16;@@@000000@@0;
  Comercializadora Tlaloc S.A. de C.V.|Cantera Rosa Diseño|Refacciones El Güero;Av. Insurgentes Sur 800|
  Calle Hidalgo 45;03100 Ciudad de México|44100 Guadalajara
ZA;en;ZAR; ,;R #|R#|ZAR #;YYYY/MM/DD|D MMMM YYYY|DD/MM/YYYY;15;4000000000;Karoo Fencing (Pty) Ltd|
  Umhlanga Surf School|Baobab Accounting;12 Long Street|80 Florida Road;Cape Town 8001|Durban 4001
TR;tr;TRY;.,;# TL|₺#|# TRY;DD.MM.YYYY|DD/MM/YYYY;20|10;0000000000;Kapadokya Halı Ltd. Şti.|Mavi Deniz Matbaa A.Ş.|
  Yıldız Kırtasiye;Atatürk Cad. No: 45|İstiklal Sok. 12;34433 İstanbul|35210 İzmir
SG;en;SGD;,.;S$#|SGD #|$#;DD MMM YYYY|DD/MM/YYYY;9;200000000@;Merlion Digital Pte. Ltd.|Orchid & Pandan|
  Tanjong Marine Supplies Pte Ltd;1 Raffles Place #20-61|88 Amoy Street;Singapore 048616|Singapore 069904
AE;en;AED;,.;AED #|# AED|Dhs. #;DD/MM/YYYY|D MMMM YYYY;5;100000000000003;Desert Falcon Logistics LLC|Saffron House|
  Marina Bay Contracting L.L.C;Office 1204, Al Reem Tower|Sheikh Zayed Road;Dubai|Abu Dhabi
SI;sl;EUR;.,;# €|# EUR;DD.MM.YYYY|D. M. YYYY;22|9.5;SI00000000;Pohorje Les d.o.o.|Pekarna Ajda;Slovenska cesta 20|
  Trg svobode 6;1000 Ljubljana|2000 Maribor
HR;hr;EUR;.,;# €|# EUR|EUR #;DD.MM.YYYY.|D. M. YYYY.;25|13;HR00000000000;Jadranka Brodogradnja d.o.o.|Obrt Lavanda;
  Ilica 40|Riva 7;10000 Zagreb|21000 Split
BG;bg;BGN; ,;# лв.|# BGN;DD.MM.YYYY;20|9;BG000000000;Рила Дизайн ЕООД|Пекарна Златна нива;бул. Витоша 15|
  ул. Иван Вазов 8;1000 София|4000 Пловдив
GR;el;EUR;.,;# €|€ #;DD/MM/YYYY;24|13;EL000000000;Αιγαίο Τεχνική Α.Ε.|Φούρνος Ελιά;Ερμού 12|Τσιμισκή 40;10563 Αθήνα|
  54623 Θεσσαλονίκη
EE;et;EUR; ,;# €|# EUR;DD.MM.YYYY;22|9;EE000000000;Kadaka Puit OÜ|Kohvik Sinilill;Pikk 14|Rüütli 5;10123 Tallinn|
  51007 Tartu
LV;lv;EUR; ,;# €|EUR #;DD.MM.YYYY;21|12;LV00000000000;Gauja Koks SIA|Maiznīca Rudzi;Brīvības iela 40|Lielā iela 9;
  LV-1010 Rīga|LV-3001 Jelgava
LT;lt;EUR; ,;# €|# Eur;YYYY-MM-DD;21|9;LT000000000;Nemuno Baldai UAB|Kavinė Liepa;Gedimino pr. 22|Laisvės al. 51;
  LT-01103 Vilnius|LT-44309 Kaunas
`

export const COUNTRIES: readonly Country[] = ROWS.trim()
  .split(/\n(?! )/)
  .map((row) => row.replaceAll(/\n +/g, ''))
  .map((row) => {
    const [code = '', language = '', currency = '', signs = '', ...rest] = row.split(';')
    const [money, days, rates, , suppliers, streets, towns] = rest.map((part) => part.split('|'))
    return {
      code,
      language,
      currency,
      signs,
      money: money ?? [],
      days: days ?? [],
      rates: (rates ?? []).map(Number),
      taxId: rest[3] ?? '',
      suppliers: suppliers ?? [],
      streets: streets ?? [],
      towns: towns ?? [],
    }
  })
