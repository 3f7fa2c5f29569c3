/** Addresses of blockchains: what each network's own rules say of them. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes, bytesToHex } from '@noble/hashes/utils.js'
import { base58, bech32, createBase58check } from '@scure/base'
import { Address } from '@scure/btc-signer/payment.js'
import { NETWORK } from '@scure/btc-signer/utils.js'
import type { Check, InvalidCode } from './check.ts'
import type { CryptoCoordinates } from './coordinates.ts'

type Network = CryptoCoordinates['network']
/** An address as its network writes it, or why it is none. */
type Reading = { address: string; warning?: string } | { fault: InvalidCode }

const COINS: Readonly<Record<Network, readonly CryptoCoordinates['coin'][]>> = {
  ethereum: ['ETH', 'USDC', 'USDT'],
  bitcoin: ['BTC'],
  tron: ['USDT', 'USDC'],
  solana: ['USDC', 'USDT'],
}
/** Networks whose transfers carry a text, by which an exchange finds its customer. */
const WITH_MEMO: ReadonlySet<Network> = new Set(['tron', 'solana'])

/** The contracts of the coins themselves: what is sent to one of them is lost. */
const TOKEN_CONTRACTS: ReadonlySet<string> = new Set([
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
  'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
])
/** No address of these networks is longer; reading base58 takes the square of its length. */
const MAX_LENGTH = 90

const READERS: Readonly<Record<Network, (text: string) => Reading>> = {
  ethereum: readEthereum,
  bitcoin: readBitcoin,
  tron: readTron,
  solana: readSolana,
}
const NETWORKS: readonly Network[] = ['ethereum', 'bitcoin', 'tron', 'solana']

/** Normalizes an address, and trims address and memo; what cannot be read stays as it is. */
export function canonicalCryptoCoordinates<Given extends CryptoCoordinates>(coordinates: Given): Given {
  const { network, address, memo } = coordinates
  const reading = read(network, address)
  return {
    ...coordinates,
    address: 'address' in reading ? reading.address : address.trim(),
    ...(typeof memo === 'string' && { memo: memo.trim() }),
  }
}

export function checkCryptoCoordinates({ network, coin, address, memo }: CryptoCoordinates): Check[] {
  const checks: Check[] = [
    COINS[network].includes(coin)
      ? { field: 'coin', status: 'ok', code: 'ok' }
      : { field: 'coin', status: 'invalid', code: 'network_mismatch' },
    addressCheck(network, address),
  ]
  if (memo?.trim()) {
    checks.push(
      WITH_MEMO.has(network)
        ? { field: 'memo', status: 'ok', code: 'ok' }
        : { field: 'memo', status: 'invalid', code: 'not_applicable' },
    )
  }
  return checks
}

function addressCheck(network: Network, text: string): Check {
  const reading = read(network, text)
  if ('fault' in reading) {
    const elsewhere = NETWORKS.some((other) => other !== network && 'address' in read(other, text))
    return { field: 'address', status: 'invalid', code: elsewhere ? 'network_mismatch' : reading.fault }
  }
  const warning = TOKEN_CONTRACTS.has(reading.address) ? 'token_contract' : reading.warning
  return warning === undefined
    ? { field: 'address', status: 'ok', code: 'ok' }
    : { field: 'address', status: 'warning', code: warning }
}

function read(network: Network, text: string): Reading {
  const address = text.trim()
  return address.length > MAX_LENGTH ? { fault: 'malformed' } : READERS[network](address)
}

/** Reads an address by EIP-55: letters in one case carry no checksum; in both cases each has to be right. */
function readEthereum(text: string): Reading {
  const [, digits] = /^0x([0-9a-fA-F]{40})$/.exec(text) ?? []
  if (digits === undefined) return { fault: 'malformed' }
  const lower = digits.toLowerCase()
  if (/^0+$/.test(lower)) return { fault: 'zero_address' }
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)))
  const address = `0x${Array.from(lower, (digit, index) => ((hash[index] ?? '') >= '8' ? digit.toUpperCase() : digit)).join('')}`
  const unmixed = digits === lower || digits === digits.toUpperCase()
  return unmixed || text === address ? { address } : { fault: 'checksum' }
}

const WITNESS = /^(bc|tb|bcrt|sb)1[^1]*$/i

function readBitcoin(text: string): Reading {
  const [, prefix] = WITNESS.exec(text) ?? []
  return prefix === undefined
    ? readBase58check(text, { own: [0x00, 0x05], test: [0x6f, 0xc4] })
    : readWitness(text, prefix.toLowerCase())
}

/**
 * Reads a witness address: version 0 in bech32 (BIP-173), 1 to 16 in bech32m (BIP-350). Of the latter only version 1
 * with 32 bytes (BIP-341) has an owner; anyone may take what is sent to the others.
 */
function readWitness(text: string, prefix: string): Reading {
  const kind = witnessKind(text, prefix)
  if (kind === 'checksum' || kind === 'malformed') return { fault: kind }
  if (prefix !== 'bc') return { fault: 'testnet' }
  if (/^bc1.q+.{6}$/i.test(text)) return { fault: 'zero_address' } // q is zero; the last six are the checksum
  return { address: text.toLowerCase(), ...(kind === 'unknown' && { warning: 'unknown_witness_version' }) }
}

/** Classifies a witness address; the library gives its reason by the message only. */
function witnessKind(text: string, prefix: string): 'owned' | 'unknown' | 'checksum' | 'malformed' {
  try {
    return Address({ ...NETWORK, bech32: prefix }).decode(text).type === 'p2a' ? 'unknown' : 'owned'
  } catch (error) {
    const message = String(error)
    if (message.includes('Unknown witness program')) return 'unknown'
    const [version = 0] = bech32.decodeUnsafe(text)?.words ?? []
    return version <= 16 && /checksum|wrong version/.test(message) ? 'checksum' : 'malformed'
  }
}

function readTron(text: string): Reading {
  return readBase58check(text, { own: [0x41], test: [0xa0] })
}

/** Reads 20 bytes behind one that names the network and kind, with a checksum. */
function readBase58check(text: string, kinds: { own: readonly number[]; test: readonly number[] }): Reading {
  const bytes = decode(checked58, text)
  if (!bytes) return { fault: decode(base58, text)?.length === 25 ? 'checksum' : 'malformed' }
  const [kind = -1, ...hash] = bytes
  if (hash.length !== 20) return { fault: 'malformed' }
  if (kinds.test.includes(kind)) return { fault: 'testnet' }
  if (!kinds.own.includes(kind)) return { fault: 'malformed' }
  return isZero(hash) ? { fault: 'zero_address' } : { address: text }
}

/** Reads an Ed25519 key, or an address that a program derived, in base58 without a checksum. */
function readSolana(text: string): Reading {
  const bytes = decode(base58, text)
  if (bytes?.length !== 32) return { fault: 'malformed' }
  return isZero([...bytes]) ? { fault: 'zero_address' } : { address: text }
}

const checked58 = createBase58check(sha256)

function decode(code: { decode: (text: string) => Uint8Array }, text: string): Uint8Array | undefined {
  try {
    return code.decode(text)
  } catch {
    return undefined
  }
}

const isZero = (bytes: readonly number[]): boolean => bytes.every((byte) => byte === 0)
