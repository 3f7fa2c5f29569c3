/** Units of quantities, by codes of UN/ECE Recommendations 20 and 21 (BT-130). */

/** Words of each unit in the order of INVOICE_LANGUAGES; none for "one", which is counted without a word. */
const TABLE = {
  C62: null,
  EA: ['each', 'Stk.', 'pce', 'ud.', 'pz.'],
  H87: ['pieces', 'Stück', 'pièces', 'piezas', 'pezzi'],
  SET: ['sets', 'Satz', 'jeux', 'juegos', 'set'],
  PR: ['pairs', 'Paar', 'paires', 'pares', 'paia'],
  DZN: ['dozen', 'Dutzend', 'douzaines', 'docenas', 'dozzine'],
  XPK: ['packs', 'Packungen', 'paquets', 'paquetes', 'confezioni'],
  XBX: ['boxes', 'Kisten', 'boîtes', 'cajas', 'scatole'],
  XPX: ['pallets', 'Paletten', 'palettes', 'palés', 'pallet'],
  LS: ['lump sum', 'pauschal', 'forfait', 'tanto alzado', 'a corpo'],
  P1: ['%', '%', '%', '%', '%'],
  SEC: ['s', 's', 's', 's', 's'],
  MIN: ['min', 'Min.', 'min', 'min', 'min'],
  HUR: ['hours', 'Std.', 'heures', 'horas', 'ore'],
  DAY: ['days', 'Tage', 'jours', 'días', 'giorni'],
  WEE: ['weeks', 'Wochen', 'semaines', 'semanas', 'settimane'],
  MON: ['months', 'Monate', 'mois', 'meses', 'mesi'],
  ANN: ['years', 'Jahre', 'ans', 'años', 'anni'],
  GRM: ['g', 'g', 'g', 'g', 'g'],
  KGM: ['kg', 'kg', 'kg', 'kg', 'kg'],
  TNE: ['t', 't', 't', 't', 't'],
  MMT: ['mm', 'mm', 'mm', 'mm', 'mm'],
  CMT: ['cm', 'cm', 'cm', 'cm', 'cm'],
  MTR: ['m', 'm', 'm', 'm', 'm'],
  KMT: ['km', 'km', 'km', 'km', 'km'],
  MTK: ['m²', 'm²', 'm²', 'm²', 'm²'],
  MTQ: ['m³', 'm³', 'm³', 'm³', 'm³'],
  MLT: ['ml', 'ml', 'ml', 'ml', 'ml'],
  LTR: ['l', 'l', 'l', 'l', 'l'],
  KWH: ['kWh', 'kWh', 'kWh', 'kWh', 'kWh'],
  MWH: ['MWh', 'MWh', 'MWh', 'MWh', 'MWh'],
  AD: ['bytes', 'Byte', 'octets', 'bytes', 'byte'],
  E34: ['GB', 'GB', 'Go', 'GB', 'GB'],
} as const satisfies Readonly<
  Record<string, readonly [en: string, de: string, fr: string, es: string, it: string] | null>
>

export type Unit = keyof typeof TABLE
export const UNITS = Object.keys(TABLE) as [Unit, ...Unit[]] // the keys of the table

/** Names a unit in the language of this index in INVOICE_LANGUAGES; empty for "one". */
export const unitAt = (unit: Unit | undefined, index: number): string => TABLE[unit ?? 'C62']?.[index] ?? ''
