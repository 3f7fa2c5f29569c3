import { sha256 } from '@noble/hashes/sha2.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CryptoCoordinates, canonicalCoordinates, checkCoordinates } from '../../domain/contacts/coordinates.ts'
import { anyCharacter } from '../support/http/any-text.ts'
import { propertyRuns } from '../support/model-runs.ts'

type Network = CryptoCoordinates['network']
const COIN = { ethereum: 'USDC', bitcoin: 'BTC', tron: 'USDT', solana: 'USDC' } as const
const NETWORKS: Network[] = ['ethereum', 'bitcoin', 'tron', 'solana']

const wallet = (network: Network, address: string, given: Partial<CryptoCoordinates> = {}): CryptoCoordinates => ({
  type: 'crypto',
  network,
  coin: COIN[network],
  address,
  ...given,
})
const codeOf = (network: Network, address: string) =>
  checkCoordinates(wallet(network, address)).find(({ field }) => field === 'address')?.code
const written = (network: Network, address: string) => canonicalCoordinates(wallet(network, address)).address

const base58check = createBase58check(sha256)
const payload = (version: number, length = 20) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((hash) => Uint8Array.of(version, ...hash))

/** Replaces one character at or after `start` by another of the same alphabet. */
function typo(address: string, start: number, at: number, by: number, alphabet: string): string {
  const place = start + (at % (address.length - start))
  const from = alphabet.indexOf(address[place] ?? '')
  const to = alphabet[(from + 1 + (by % (alphabet.length - 1))) % alphabet.length]
  return `${address.slice(0, place)}${to}${address.slice(place + 1)}`
}
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

describe('ethereum', () => {
  const EIP55 = [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ]

  test.each(EIP55)('%s, in its own letters, in small ones and in capitals', (address) => {
    const capitals = `0x${address.slice(2).toUpperCase()}`
    for (const given of [address, address.toLowerCase(), capitals, ` ${address}\n`]) {
      expect([codeOf('ethereum', given), written('ethereum', given)]).toEqual(['ok', address])
    }
  })

  test('one letter in the other case is caught', () => {
    for (const address of EIP55.slice(4)) {
      for (const [index, letter] of Array.from(address.slice(2)).entries()) {
        if (!/[a-f]/i.test(letter)) continue
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
        const wrong = `${address.slice(0, index + 2)}${other}${address.slice(index + 3)}`
        expect(codeOf('ethereum', wrong), wrong).toBe('checksum')
      }
    }
  })

  test.each([
    ['0x0000000000000000000000000000000000000000', 'zero_address'],
    ['52908400098527886E0F7030069857D2E4169EE7', 'malformed'],
    ['0X52908400098527886E0F7030069857D2E4169EE7', 'malformed'],
    ['0x52908400098527886E0F7030069857D2E4169EE', 'malformed'],
    ['0x52908400098527886E0F7030069857D2E4169EE77', 'malformed'],
    ['0x52908400098527886E0F7030069857D2E4169EEG', 'malformed'],
    ['alice.eth', 'malformed'],
  ])('%s: %s', (address, code) => expect(codeOf('ethereum', address)).toBe(code))
})

/** Test cases of BIP-350 and BIP-173; our verdict follows each address. */
const SEGWIT: [string, string][] = [
  ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'ok'],
  ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', 'ok'],
  ['bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y', 'unknown_witness_version'],
  ['BC1SW50QGDZ25J', 'unknown_witness_version'],
  ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'unknown_witness_version'],
  ['tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', 'testnet'],
  ['tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy', 'testnet'],
  ['tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c', 'testnet'],
  ['tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut', 'malformed'],
  ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'checksum'],
  ['tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf', 'checksum'],
  ['BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL', 'checksum'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'checksum'],
  ['tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47', 'checksum'],
  ['bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'malformed'],
  ['BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', 'malformed'],
  ['bc1pw5dgrnzv', 'malformed'],
  ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav', 'malformed'],
  ['BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', 'malformed'],
  ['tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq', 'malformed'],
  ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf', 'malformed'],
  ['tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j', 'malformed'],
  ['bc1gmk9yu', 'malformed'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'checksum'],
  ['BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2', 'malformed'],
]

describe('bitcoin', () => {
  test.each(SEGWIT)('%s: %s', (address, code) => {
    expect(codeOf('bitcoin', address)).toBe(code)
    if (code === 'ok') expect(written('bitcoin', address)).toBe(address.toLowerCase())
  })

  test.each([
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'ok'],
    ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'ok'],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'checksum'],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a', 'malformed'],
    ['1a1zp1ep5qgefi2dmptftl5slmv7divfna', 'malformed'],
    ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'testnet'],
    ['2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'testnet'],
    ['1111111111111111111114oLvT2', 'zero_address'],
    ['bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'malformed'],
    ['1'.repeat(255), 'malformed'],
  ])('%s: %s', (address, code) => expect(codeOf('bitcoin', address)).toBe(code))

  test('every hash has its addresses, and bech32 catches every wrong character', () => {
    const program = fc.constantFrom(20, 32).chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
    fc.assert(
      fc.property(program, fc.boolean(), fc.nat(), fc.nat(), (bytes, taproot, at, by) => {
        fc.pre(bytes.some((byte) => byte > 0) && (!taproot || bytes.length === 32))
        const [version, code] = taproot ? [1, bech32m] : [0, bech32]
        const address = code.encode('bc', [version, ...code.toWords(bytes)])
        expect(codeOf('bitcoin', address)).toBe('ok')
        expect(codeOf('bitcoin', typo(address, 3, at, by, BECH32))).toBe('checksum')
      }),
      { numRuns: propertyRuns(500) },
    )
  })
})

describe('tron', () => {
  test.each([
    ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'ok'],
    ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv9', 'checksum'],
    ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'zero_address'],
    ['415cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb', 'malformed'],
    [base58check.encode(Uint8Array.of(0xa0, ...new Uint8Array(20).fill(7))), 'testnet'],
  ])('%s: %s', (address, code) => expect(codeOf('tron', address)).toBe(code))
})

describe('solana', () => {
  test.each([
    ['7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', 'ok'],
    ['4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA', 'ok'],
    ['11111111111111111111111111111111', 'zero_address'],
    ['4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYv', 'malformed'],
    ['4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPY0A', 'malformed'],
  ])('%s: %s', (address, code) => expect(codeOf('solana', address)).toBe(code))
})

const address: Record<Network, fc.Arbitrary<string>> = {
  ethereum: fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
  bitcoin: fc.constantFrom(0, 5).chain((version) => payload(version).map((bytes) => base58check.encode(bytes))),
  tron: payload(0x41).map((bytes) => base58check.encode(bytes)),
  solana: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => base58.encode(bytes)),
}
const anywhere = fc.constantFrom(...NETWORKS)
const onSome = anywhere.chain((network) => address[network].map((text) => [network, text] as const))

describe('on every network', () => {
  test('its addresses pass, and those of another network are told from what is no address', () => {
    fc.assert(
      fc.property(onSome, anywhere, ([network, text], asked) => {
        expect(codeOf(asked, text)).toBe(network === asked ? 'ok' : 'network_mismatch')
      }),
    )
  })

  test('base58check catches a wrong character', () => {
    const checked = fc
      .constantFrom('bitcoin', 'tron')
      .chain((network: Network) => fc.tuple(fc.constant(network), address[network]))
    fc.assert(
      fc.property(checked, fc.nat(), fc.nat(), ([network, text], at, by) => {
        expect(['checksum', 'malformed']).toContain(codeOf(network, typo(text, 0, at, by, BASE58)))
      }),
    )
  })

  test('what is written is checked as what was given, and writing it again changes nothing', () => {
    const any = fc.oneof(onSome, fc.tuple(anywhere, fc.string({ maxLength: 255, unit: anyCharacter })))
    fc.assert(
      fc.property(any, fc.option(fc.string({ maxLength: 255 })), ([network, text], memo) => {
        const given = wallet(network, text, { memo })
        const once = canonicalCoordinates(given)
        expect(canonicalCoordinates(once)).toEqual(once)
        expect(checkCoordinates(once)).toEqual(checkCoordinates(given))
      }),
    )
  })

  test('its coins, and no others', () => {
    const all = NETWORKS.flatMap((network) =>
      (['BTC', 'ETH', 'USDC', 'USDT'] as const).map((coin) => ({
        network,
        coin,
        found: checkCoordinates(wallet(network, 'x', { coin })),
      })),
    )
    const fitting = all.filter(({ found }) => found[0]?.code === 'ok').map(({ network, coin }) => `${coin} ${network}`)
    expect(fitting).toEqual([
      'ETH ethereum',
      'USDC ethereum',
      'USDT ethereum',
      'BTC bitcoin',
      'USDC tron',
      'USDT tron',
      'USDC solana',
      'USDT solana',
    ])
    for (const { found } of all) expect(['ok', 'network_mismatch']).toContain(found[0]?.code)
  })

  test('a memo, where transfers carry one', () => {
    const memo = (network: Network) => checkCoordinates(wallet(network, 'x', { memo: '104467' })).at(-1)
    for (const network of ['tron', 'solana'] as const) expect(memo(network)?.code).toBe('ok')
    for (const network of ['ethereum', 'bitcoin'] as const) {
      expect(memo(network)).toEqual({ field: 'memo', status: 'invalid', code: 'not_applicable' })
    }
  })

  test('the contract of a coin is no place to send it to', () => {
    const contracts: [Network, string][] = [
      ['ethereum', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'],
      ['ethereum', '0xdac17f958d2ee523a2206206994597c13d831ec7'],
      ['tron', 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'],
      ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
      ['solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
      ['solana', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
    ]
    for (const [network, contract] of contracts) expect(codeOf(network, contract), contract).toBe('token_contract')
  })
})
