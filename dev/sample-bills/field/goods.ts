/** Goods and services by language. */
const list = (text: string): readonly string[] => text.split('|').map((one) => one.trim())

export const GOODS: Readonly<Record<string, readonly string[]>> = {
  de: list(
    'Wartung Heizungsanlage|Beratung, 2 Std.|Grafikpaket 2025|Kabel NYM-J 3x1,5|Anfahrt|Ordner DIN A4|Hosting Januar 2025',
  ),
  en: list(
    'Website maintenance|Consulting, March 2025|Oak shelf 120 x 30 cm|Delivery|Monthly plan (1 Jan – 31 Jan 2025)|Copper pipe 15 mm|Workshop, 2 days',
  ),
  fr: list(
    'Entretien chaudière|Conception graphique 2025|Câble 3G1,5|Frais de déplacement|Abonnement janvier 2025|Peinture mate 10 L',
  ),
  es: list('Mantenimiento anual 2025|Diseño de logotipo|Cable 3x1,5|Desplazamiento|Cuota enero 2025|Pintura 10 L'),
  it: list('Manutenzione caldaia|Progetto grafico 2025|Cavo 3x1,5|Trasferta|Canone gennaio 2025|Vernice 10 L'),
  nl: list('Onderhoud cv-ketel|Ontwerp huisstijl 2025|Kabel 3x1,5|Voorrijkosten|Abonnement januari 2025|Verf 10 L'),
  pt: list('Manutenção anual 2025|Projeto gráfico|Cabo 3x1,5|Deslocação|Mensalidade janeiro 2025|Tinta 10 L'),
  pl: list('Serwis pieca|Projekt graficzny 2025|Przewód 3x1,5|Dojazd|Abonament styczeń 2025|Farba 10 L'),
  sv: list('Service av värmepump|Grafisk form 2025|Kabel 3x1,5|Resekostnad|Abonnemang januari 2025|Väggfärg 10 L'),
  da: list('Service af varmepumpe|Grafisk design 2025|Kabel 3x1,5|Kørsel|Abonnement januar 2025|Maling 10 L'),
  cs: list('Servis kotle|Grafický návrh 2025|Kabel 3x1,5|Doprava|Paušál leden 2025|Barva 10 l'),
  nb: list('Service av varmepumpe|Grafisk design 2025|Kabel 3x1,5|Kjøring|Abonnement januar 2025'),
  fi: list('Lämpöpumpun huolto|Graafinen suunnittelu 2025|Kaapeli 3x1,5|Matkakulut|Kuukausimaksu 2025'),
  hu: list('Kazán karbantartás|Grafikai tervezés 2025|Kábel 3x1,5|Kiszállás|Havidíj 2025'),
  ro: list('Întreținere centrală|Proiect grafic 2025|Cablu 3x1,5|Deplasare|Abonament ianuarie 2025'),
  sk: list('Servis kotla|Grafický návrh 2025|Kábel 3x1,5|Doprava|Paušál január 2025'),
  sl: list('Servis peči|Grafično oblikovanje 2025|Kabel 3x1,5|Prevoz|Naročnina januar 2025'),
  hr: list('Servis kotla|Grafički dizajn 2025|Kabel 3x1,5|Prijevoz|Pretplata siječanj 2025'),
  bg: list('Поддръжка на котел|Графичен дизайн 2025|Кабел 3x1,5|Транспорт'),
  el: list('Συντήρηση λέβητα|Γραφιστική μελέτη 2025|Καλώδιο 3x1,5|Μεταφορικά'),
  tr: list('Kombi bakımı|Grafik tasarım 2025|Kablo 3x1,5|Nakliye'),
  et: list('Katla hooldus|Graafiline disain 2025|Kaabel 3x1,5|Transport'),
  lv: list('Katla apkope|Grafiskais dizains 2025|Kabelis 3x1,5|Transports'),
  lt: list('Katilo priežiūra|Grafinis dizainas 2025|Kabelis 3x1,5|Transportas'),
  ja: list('サイト保守|デザイン制作|部品加工|配送料'),
}
