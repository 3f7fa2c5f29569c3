/** Addresses of blockchains: what each network's own rules say of them. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes, bytesToHex } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import type { Check, CryptoCoordinates } from './coordinates.ts'

type Network = CryptoCoordinates['network']
/** An address as its network writes it, or why it is none. */
type Reading = { address: string; warning?: string } | { fault: string }

/** Which coins there are on which network. */
const COINS: Readonly<Record<Network, readonly CryptoCoordinates['coin'][]>> = {
  ethereum: ['ETH', 'USDC', 'USDT'],
  bitcoin: ['BTC'],
  tron: ['USDT', 'USDC'],
  solana: ['USDC', 'USDT'],
}
/** Networks whose transfers carry a text for the payee, by which an exchange finds the customer. */
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

/** The address as its network writes it, without blanks around address and memo; what cannot be read stays as it is. */
export function canonicalCryptoCoordinates<Given extends CryptoCoordinates>(coordinates: Given): Given {
  const { network, address, memo } = coordinates
  const reading = read(network, address)
  return {
    ...coordinates,
    address: 'address' in reading ? reading.address : address.trim(),
    ...(typeof memo === 'string' && { memo: memo.trim() }),
  }
}

/** Checks of coin, address and, where there is one, memo. */
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

/** EIP-55: letters in one case carry no checksum and are taken; in both cases each of them has to be right. */
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

const [P2PKH, P2SH, TESTNET_P2PKH, TESTNET_P2SH] = [0x00, 0x05, 0x6f, 0xc4]
const TESTNET_PREFIXES: ReadonlySet<string> = new Set(['tb', 'bcrt', 'sb'])

function readBitcoin(text: string): Reading {
  const [, prefix] = /^([a-z]{2,4})1/i.exec(text) ?? []
  const lower = prefix?.toLowerCase() ?? ''
  if (lower === 'bc' || TESTNET_PREFIXES.has(lower)) return readSegwit(text, lower)
  const payload = base58check(text)
  if ('fault' in payload) return payload
  const { bytes } = payload
  if (bytes.length !== 21) return { fault: 'malformed' }
  if (bytes[0] === TESTNET_P2PKH || bytes[0] === TESTNET_P2SH) return { fault: 'testnet' }
  if (bytes[0] !== P2PKH && bytes[0] !== P2SH) return { fault: 'malformed' }
  return isZero(bytes.subarray(1)) ? { fault: 'zero_address' } : { address: text }
}

/**
 * Witness addresses: version 0 in bech32 (BIP-173) with 20 or 32 bytes, 1 to 16 in bech32m (BIP-350). Of those only
 * version 1 with 32 bytes (BIP-341) has an owner today; anybody may take what is sent to the others.
 */
function readSegwit(text: string, prefix: string): Reading {
  const old = bech32.decodeUnsafe(text, MAX_LENGTH)
  const decoded = old ?? bech32m.decodeUnsafe(text, MAX_LENGTH)
  if (!decoded || decoded.prefix !== prefix) {
    const mixed = text !== text.toLowerCase() && text !== text.toUpperCase()
    return { fault: mixed || !/^[a-z]+1[02-9ac-hj-np-z]+$/i.test(text) ? 'malformed' : 'checksum' }
  }
  const [version, ...words] = decoded.words
  const program = bech32.fromWordsUnsafe(words)
  if (version === undefined || version > 16 || !program || program.length < 2 || program.length > 40) {
    return { fault: 'malformed' }
  }
  if ((version === 0) !== (old !== undefined)) return { fault: 'checksum' }
  if (version === 0 && program.length !== 20 && program.length !== 32) return { fault: 'malformed' }
  if (prefix !== 'bc') return { fault: 'testnet' }
  if (isZero(program)) return { fault: 'zero_address' }
  const known = version === 0 || (version === 1 && program.length === 32)
  return { address: text.toLowerCase(), ...(!known && { warning: 'unknown_witness_version' }) }
}

const [TRON, TRON_TESTNET] = [0x41, 0xa0]

function readTron(text: string): Reading {
  const payload = base58check(text)
  if ('fault' in payload) return payload
  const { bytes } = payload
  if (bytes.length !== 21) return { fault: 'malformed' }
  if (bytes[0] === TRON_TESTNET) return { fault: 'testnet' }
  if (bytes[0] !== TRON) return { fault: 'malformed' }
  return isZero(bytes.subarray(1)) ? { fault: 'zero_address' } : { address: text }
}

/** An Ed25519 key, or an address that a program derived, in base58; there is no checksum. */
function readSolana(text: string): Reading {
  const bytes = decoded58(text)
  if (bytes?.length !== 32) return { fault: 'malformed' }
  return isZero(bytes) ? { fault: 'zero_address' } : { address: text }
}

const checked58 = createBase58check(sha256)

function base58check(text: string): { bytes: Uint8Array } | { fault: string } {
  try {
    return { bytes: checked58.decode(text) }
  } catch {
    return { fault: decoded58(text)?.length === 25 ? 'checksum' : 'malformed' }
  }
}

function decoded58(text: string): Uint8Array | null {
  try {
    return base58.decode(text)
  } catch {
    return null
  }
}

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)
