/** Account numbers and addresses of the stand-ins: valid, and the same for the same id. */
import { createHash } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58, bech32, createBase58check } from '@scure/base'
import { composeIBAN, validateIBAN } from 'ibantools'
import * as v from 'valibot'
import { canonicalCryptoCoordinates, checkCryptoCoordinates } from '../../domain/destinations/crypto-address.ts'
import { NewDestination } from '../../domain/destinations/destination.ts'
import { isCoin, isCurrency } from '../../domain/money/currencies.ts'
import { passesModulusCheck } from '../../domain/destinations/uk-modulus.ts'

type NewAccount = { readonly account: string; readonly details: Readonly<Record<string, string>> }

/** ABA number in the Federal Reserve's test range, with a right checksum. */
const ABA_CODE = '021000021'
const SORT_CODE = '040004'
const [GB_BANK, TRIES] = ['SBOX', 1000]
const BICS: Readonly<Record<string, string>> = { DE: 'SBOXDEFF', CH: 'SBOXCHZZ', GB: 'SBOXGB2L' }

/** Makes an account: American for USD, else an IBAN; undefined for an unknown currency. */
export function bankAccount(
  id: string,
  { currency, holder }: { currency: string; holder: string },
): NewAccount | undefined {
  if (!isCurrency(currency) || isCoin(currency)) return undefined
  const shared = { account_holder_name: holder, bank_name: 'Sandbox Bank', currency }
  if (currency === 'USD') {
    const account = digits(id, 0, 12)
    return { account, details: { ...shared, country_code: 'US', account_number: account, aba_code: ABA_CODE } }
  }
  const country = currency === 'EUR' ? 'DE' : currency === 'CHF' ? 'CH' : 'GB'
  const { iban, ...local } = ibanIn(country, id)
  const swift = BICS[country] ?? ''
  return { account: iban, details: { ...shared, country_code: country, iban, swift_code: swift, ...local } }
}

/** Tries numbers until the country's check accepts one. */
function ibanIn(country: string, id: string): { iban: string; sort_code?: string; account_number?: string } {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const number = digits(id, attempt, country === 'GB' ? 8 : 13)
    if (country === 'GB' && !passesModulusCheck(SORT_CODE, number)) continue
    const bban =
      country === 'GB'
        ? `${GB_BANK}${SORT_CODE}${number}`
        : country === 'DE'
          ? `50010517${number.slice(0, 10)}`
          : `08888${number.slice(1)}`
    const iban = composeIBAN({ countryCode: country, bban })
    if (!iban || !validateIBAN(iban).valid) continue
    return country === 'GB' ? { iban, sort_code: SORT_CODE, account_number: number } : { iban }
  }
  throw new Error(`no account number for ${id}`)
}

export function cryptoAccount(
  id: string,
  { network, coin }: { network: string; coin: string },
): NewAccount | undefined {
  const made = Object.hasOwn(ADDRESSES, network) ? ADDRESSES[network]?.(bytesOf(id)) : undefined
  const { output, success } = v.safeParse(NewDestination, { type: 'crypto', network, coin, address: made })
  if (!success || output.type !== 'crypto') return undefined
  const coordinates = canonicalCryptoCoordinates(output)
  if (checkCryptoCoordinates(coordinates).some(({ status }) => status !== 'ok')) return undefined
  const { address } = coordinates
  return { account: address, details: { network, coin, address } }
}

const checked58 = createBase58check(sha256)
const TRON_PREFIX = 0x41
const ADDRESSES: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  ethereum: (bytes) => `0x${Buffer.from(bytes.subarray(0, 20)).toString('hex')}`,
  bitcoin: (bytes) => bech32.encode('bc', [0, ...bech32.toWords(bytes.subarray(0, 20))]),
  tron: (bytes) => checked58.encode(Uint8Array.of(TRON_PREFIX, ...bytes.subarray(0, 20))),
  solana: (bytes) => base58.encode(bytes),
}

const bytesOf = (text: string): Uint8Array => createHash('sha256').update(`account:${text}`).digest()

function digits(id: string, attempt: number, count: number): string {
  const number = BigInt(`0x${Buffer.from(bytesOf(`${id}:${attempt}`)).toString('hex')}`).toString()
  return number.slice(0, count)
}
