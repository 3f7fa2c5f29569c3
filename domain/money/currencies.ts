/** Currencies of amounts, with their decimals and names: ISO 4217 and the coins that are taken. */

/** ISO 4217 List One as of amendment 180, without codes that have no minor unit (XAU). */
const currencyCodes: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY
    COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS
    INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR
    MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP
    STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const coinDigits: Readonly<Record<string, number>> = { USDC: 6, USDT: 6, BTC: 8, ETH: 18 }

/** The names that ISO 4217 gives, and those of coins. */
const names: ReadonlyMap<string, string> = new Map(
  `
  AED UAE Dirham; AFN Afghani; ALL Lek; AMD Armenian Dram; AOA Kwanza; ARS Argentine Peso; AUD Australian Dollar;
  AWG Aruban Florin; AZN Azerbaijan Manat; BAM Convertible Mark; BBD Barbados Dollar; BDT Taka; BHD Bahraini Dinar;
  BIF Burundi Franc; BMD Bermudian Dollar; BND Brunei Dollar; BOB Boliviano; BOV Mvdol; BRL Brazilian Real;
  BSD Bahamian Dollar; BTN Ngultrum; BWP Pula; BYN Belarusian Ruble; BZD Belize Dollar; CAD Canadian Dollar;
  CDF Congolese Franc; CHE WIR Euro; CHF Swiss Franc; CHW WIR Franc; CLF Unidad de Fomento; CLP Chilean Peso;
  CNY Yuan Renminbi; COP Colombian Peso; COU Unidad de Valor Real; CRC Costa Rican Colon; CUP Cuban Peso;
  CVE Cabo Verde Escudo; CZK Czech Koruna; DJF Djibouti Franc; DKK Danish Krone; DOP Dominican Peso;
  DZD Algerian Dinar; EGP Egyptian Pound; ERN Nakfa; ETB Ethiopian Birr; EUR Euro; FJD Fiji Dollar;
  FKP Falkland Islands Pound; GBP Pound Sterling; GEL Lari; GHS Ghana Cedi; GIP Gibraltar Pound; GMD Dalasi;
  GNF Guinean Franc; GTQ Quetzal; GYD Guyana Dollar; HKD Hong Kong Dollar; HNL Lempira; HTG Gourde; HUF Forint;
  IDR Rupiah; ILS New Israeli Sheqel; INR Indian Rupee; IQD Iraqi Dinar; IRR Iranian Rial; ISK Iceland Krona;
  JMD Jamaican Dollar; JOD Jordanian Dinar; JPY Yen; KES Kenyan Shilling; KGS Som; KHR Riel; KMF Comorian Franc;
  KPW North Korean Won; KRW Won; KWD Kuwaiti Dinar; KYD Cayman Islands Dollar; KZT Tenge; LAK Lao Kip;
  LBP Lebanese Pound; LKR Sri Lanka Rupee; LRD Liberian Dollar; LSL Loti; LYD Libyan Dinar; MAD Moroccan Dirham;
  MDL Moldovan Leu; MGA Malagasy Ariary; MKD Denar; MMK Kyat; MNT Tugrik; MOP Pataca; MRU Ouguiya;
  MUR Mauritius Rupee; MVR Rufiyaa; MWK Malawi Kwacha; MXN Mexican Peso; MXV Mexican Unidad de Inversion (UDI);
  MYR Malaysian Ringgit; MZN Mozambique Metical; NAD Namibia Dollar; NGN Naira; NIO Cordoba Oro; NOK Norwegian Krone;
  NPR Nepalese Rupee; NZD New Zealand Dollar; OMR Rial Omani; PAB Balboa; PEN Sol; PGK Kina; PHP Philippine Peso;
  PKR Pakistan Rupee; PLN Zloty; PYG Guarani; QAR Qatari Rial; RON Romanian Leu; RSD Serbian Dinar; RUB Russian Ruble;
  RWF Rwanda Franc; SAR Saudi Riyal; SBD Solomon Islands Dollar; SCR Seychelles Rupee; SDG Sudanese Pound;
  SEK Swedish Krona; SGD Singapore Dollar; SHP Saint Helena Pound; SLE Leone; SOS Somali Shilling; SRD Surinam Dollar;
  SSP South Sudanese Pound; STN Dobra; SVC El Salvador Colon; SYP Syrian Pound; SZL Lilangeni; THB Baht; TJS Somoni;
  TMT Turkmenistan New Manat; TND Tunisian Dinar; TOP Pa’anga; TRY Turkish Lira; TTD Trinidad and Tobago Dollar;
  TWD New Taiwan Dollar; TZS Tanzanian Shilling; UAH Hryvnia; UGX Uganda Shilling; USD US Dollar;
  USN US Dollar (Next day); UYI Uruguay Peso en Unidades Indexadas (UI); UYU Peso Uruguayo; UYW Unidad Previsional;
  UZS Uzbekistan Sum; VED Bolívar Soberano; VES Bolívar Soberano; VND Dong; VUV Vatu; WST Tala;
  XAD Arab Accounting Dinar; XAF CFA Franc BEAC; XCD East Caribbean Dollar; XCG Caribbean Guilder;
  XOF CFA Franc BCEAO; XPF CFP Franc; YER Yemeni Rial; ZAR Rand; ZMW Zambian Kwacha; ZWG Zimbabwe Gold;
  USDC USD Coin; USDT Tether; BTC Bitcoin; ETH Ether
  `
    .trim()
    .split(/;\s+/)
    .map((entry) => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)]),
)

/** Number of decimals of every currency and coin. */
export const currencyDigits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    Object.entries(currencyCodes).flatMap(([digits, codes]) =>
      codes
        .trim()
        .split(/\s+/)
        .map((code) => [code, Number(digits)]),
    ),
  ),
  ...coinDigits,
}

/** Asked for each amount of a million rows: a look into an object takes six times as long. */
const digits = new Map(Object.entries(currencyDigits))

/** Looks up the number of decimals; undefined for any other text. Codes are upper case. */
export const digitsOf = (currency: string): number | undefined => digits.get(currency)

/** Tells whether amounts can be in this: an active ISO 4217 currency or a coin. */
export const isCurrency = (code: string): boolean => digits.has(code)

/** Tells whether this is one of the coins: USDC, USDT, BTC, ETH. */
export const isCoin = (code: string): boolean => Object.hasOwn(coinDigits, code)

/** Names a currency or coin; any other code is its own name. */
export const currencyName = (code: string): string => names.get(code) ?? code

const NETWORKS: Readonly<Record<string, { readonly name: string; readonly code: string }>> = {
  ethereum: { name: 'Ethereum', code: 'ETH' },
  bitcoin: { name: 'Bitcoin', code: 'BTC' },
  tron: { name: 'TRON', code: 'TRX' },
  solana: { name: 'Solana', code: 'SOL' },
}

/** Names a coin on a network. A network's own coin has the network's code; an unknown network its own name. */
export function coinOf(network: string, symbol: string) {
  const { name, code } = NETWORKS[network] ?? { name: network, code: network.toUpperCase() }
  return {
    custody_code: code === symbol ? symbol : `${symbol}_${code}`,
    display_name: currencyName(symbol),
    label: `${symbol} on ${name}`,
    network,
    network_name: name,
    symbol,
  }
}

/** Payments by service ID are made in this currency only. */
export const SVC_ID_CURRENCY = 'USD'
