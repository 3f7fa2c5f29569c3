/** The currencies an amount can be in, with their decimals: ISO 4217 and the coins that are taken. */

/** ISO 4217 List One as of amendment 180, without the codes that have no minor unit (metals, XDR, XTS, XXX, …). */
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

/** Every currency and coin with the number of its decimals. */
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

/** The number of decimals of a currency or coin; undefined for any other text. Codes are upper case. */
export const digitsOf = (currency: string): number | undefined => digits.get(currency)

/** Asked for each amount of a million rows: a look into an object takes six times as long. */
const digits = new Map(Object.entries(currencyDigits))

/** Whether amounts can be in this: an active ISO 4217 currency or a coin. */
export const isCurrency = (code: string): boolean => Object.hasOwn(currencyDigits, code)

/** Whether this is one of the coins: USDC, USDT, BTC, ETH. */
export const isCoin = (code: string): boolean => Object.hasOwn(coinDigits, code)
