/** Words of six languages for bills: no company, person or account of these exists. */
import type { Language } from './model.ts'

export type Words = {
  readonly countries: readonly string[]
  readonly companies: readonly string[]
  readonly streets: readonly string[]
  readonly cities: readonly (readonly [postcode: string, city: string])[]
  readonly items: readonly string[]
  readonly rates: readonly number[]
  readonly terms: (days: number) => string
}

const list = (text: string): string[] => text.split(' | ')
const places = (text: string) =>
  list(text).map((place) => {
    const at = place.lastIndexOf(' ')
    return [place.slice(0, at), place.slice(at + 1)] as const
  })

export const WORDS: Readonly<Record<Language, Words>> = {
  de: {
    countries: ['DE', 'AT', 'CH'],
    companies: list(
      'Quellgrund Möbelbau GmbH | Lindhorst & Söhne KG | Fährhaus Büroservice AG | Weißdorn Gartenpflege e. K.',
    ),
    streets: list('Kastanienweg 4 | Äußere Straße 112 | Am Mühlbach 7a | Hafenzeile 31'),
    cities: places('04229 Leipzig | 01067 Dresden | 50667 Köln | 80331 München'),
    items: list(
      'Büromöbel nach Maß | Wartung der Heizung | Kopierpapier, 80 g/m² | Beratung vor Ort (Stunden) | Frachtkosten',
    ),
    rates: [19, 7],
    terms: (days) => `Zahlbar innerhalb von ${days} Tagen ohne Abzug.`,
  },
  en: {
    countries: ['GB', 'IE'],
    companies: list(
      "Harrowgate Print & Sign Ltd | O'Farrell Catering Limited | Northmoor Joinery LLP | Blue Quay Logistics plc",
    ),
    streets: list('14 Tanner Row | Unit 3, Mill Lane | 221 Quayside | 9 St Mary’s Court'),
    cities: places('LS1 4AP Leeds | D02 X285 Dublin | BS1 6QS Bristol | M1 2WD Manchester'),
    items: list(
      'Printed banners, A1 | Catering for 40 people | Oak door, fitted | Pallet delivery | Design work (hours)',
    ),
    rates: [20, 5],
    terms: (days) => `Payment within ${days} days of the invoice date.`,
  },
  fr: {
    countries: ['FR', 'BE'],
    companies: list(
      'Ateliers du Vieux Pont SARL | Société Générale d’Élagage SAS | Boulangerie Côté Cour | Façades & Toitures Réunies SA',
    ),
    streets: list('12 rue des Tilleuls | 3 bis, quai de l’Île | Zone artisanale 8 | 45 avenue Émile-Zola'),
    cities: places('69002 Lyon | 33000 Bordeaux | 59800 Lille | 06000 Nice'),
    items: list(
      'Élagage de chênes | Pains spéciaux, livrés | Réfection de façade | Main-d’œuvre (heures) | Frais de déplacement',
    ),
    rates: [20, 10, 5.5],
    terms: (days) => `Paiement à ${days} jours.`,
  },
  es: {
    countries: ['ES'],
    companies: list(
      'Cerámicas Peñalba S.L. | Transportes Núñez e Hijos S.A. | Asesoría Olmedo y Asociados | Jardines del Sur S. Coop.',
    ),
    streets: list('Calle del Olmo, 18 | Avda. de la Estación 204, 3º B | Polígono Las Viñas, nave 6 | Plaza Mayor 2'),
    cities: places('28012 Madrid | 41004 Sevilla | 08010 Barcelona | 46002 València'),
    items: list(
      'Azulejos esmaltados | Transporte de mercancías | Asesoría fiscal (horas) | Riego automático | Gastos de envío',
    ),
    rates: [21, 10, 4],
    terms: (days) => `Pago a ${days} días de la fecha de la factura.`,
  },
  nl: {
    countries: ['NL', 'BE'],
    companies: list(
      'Drukkerij Van der Meulen B.V. | Hofstede Techniek N.V. | Bakkerij ’t Zonnetje | De Groene Gracht Hoveniers',
    ),
    streets: list('Oudegracht 55 | Industrieweg 17-B | Kerkstraat 101 | Havenkade 3'),
    cities: places('3511 AB Utrecht | 9712 HN Groningen | 2000 Antwerpen | 1012 JS Amsterdam'),
    items: list(
      'Drukwerk, 500 stuks | Onderhoud cv-ketel | Tuinaanleg (uren) | Broodjes voor vergadering | Verzendkosten',
    ),
    rates: [21, 9],
    terms: (days) => `Te betalen binnen ${days} dagen na factuurdatum.`,
  },
  it: {
    countries: ['IT'],
    companies: list(
      'Officine Brambati S.r.l. | Caffè dell’Università S.n.c. | Studio Città & Ambiente | Trasporti Lodigiani S.p.A.',
    ),
    streets: list('Via delle Acacie 9 | Corso Libertà 77/A | Piazza San Zeno 1 | Località Pòrtole 12'),
    cities: places('20121 Milano | 37123 Verona | 10128 Torino | 40126 Bologna'),
    items: list(
      'Manutenzione impianti | Fornitura di caffè | Progettazione (ore) | Trasporto su strada | Spese di imballaggio',
    ),
    rates: [22, 10, 4],
    terms: (days) => `Pagamento a ${days} giorni data fattura.`,
  },
}
