import { sha256 } from '@noble/hashes/sha2.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CryptoCoordinates,
  canonicalCoordinates,
  checkCoordinates,
} from '../../domain/destinations/coordinates.ts'
import { anyCharacter } from '../support/http/any-text.ts'
import { listed } from '../support/listed.ts'
import { always } from '../support/property.ts'

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

const EIP55 = listed`
    0x52908400098527886E0F7030069857D2E4169EE7 | 0x8617E340B3D01FA5F11F306F4090FD50E238070D
    0xde709f2102306220921060314715629080e2fb77 | 0x27b1fdb04752bbc536007a920d24acb045561c26
    0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed | 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359
    0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB | 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb`

test.each(EIP55)('ethereum %s, in its own letters, in small ones and in capitals', (address) => {
  const capitals = `0x${address.slice(2).toUpperCase()}`
  for (const given of [address, address.toLowerCase(), capitals, ` ${address}\n`])
    expect([codeOf('ethereum', given), written('ethereum', given)]).toEqual(['ok', address])
})

test('ethereum one letter in the other case is caught', () => {
  for (const address of EIP55.slice(4)) {
    for (const [index, letter] of Array.from(address.slice(2)).entries()) {
      if (!/[a-f]/i.test(letter)) continue
      const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
      const wrong = `${address.slice(0, index + 2)}${other}${address.slice(index + 3)}`
      expect(codeOf('ethereum', wrong), wrong).toBe('checksum')
    }
  }
})

/** Our verdict on addresses; those of Bitcoin with bc, tb and tc are the test cases of BIP-350 and BIP-173. */
const VERDICTS = listed`
  ethereum zero_address 0x0000000000000000000000000000000000000000
  ethereum malformed 52908400098527886E0F7030069857D2E4169EE7 0X52908400098527886E0F7030069857D2E4169EE7
  ethereum malformed 0x52908400098527886E0F7030069857D2E4169EE 0x52908400098527886E0F7030069857D2E4169EE77
  ethereum malformed 0x52908400098527886E0F7030069857D2E4169EEG alice.eth
  bitcoin ok BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4 bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0
  bitcoin unknown_witness_version bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y
  bitcoin unknown_witness_version BC1SW50QGDZ25J bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs
  bitcoin testnet tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7
  bitcoin testnet tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy
  bitcoin testnet tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c
  bitcoin malformed tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut
  bitcoin malformed bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4
  bitcoin malformed BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R bc1pw5dgrnzv
  bitcoin malformed bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav
  bitcoin malformed BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P
  bitcoin malformed tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq
  bitcoin malformed bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf
  bitcoin malformed tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j bc1gmk9yu
  bitcoin malformed BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2
  bitcoin checksum bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd
  bitcoin checksum tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf
  bitcoin checksum BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL
  bitcoin checksum bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh
  bitcoin checksum tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47
  bitcoin checksum bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5
  bitcoin ok 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy
  bitcoin checksum 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb
  bitcoin malformed 1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a 1a1zp1ep5qgefi2dmptftl5slmv7divfna
  bitcoin malformed bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
  bitcoin testnet mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn 2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc
  bitcoin zero_address 1111111111111111111114oLvT2
  tron ok TJRabPrwbZy45sbavfcjinPJC18kjpRTv8
  tron checksum TJRabPrwbZy45sbavfcjinPJC18kjpRTv9
  tron zero_address T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb
  tron malformed 415cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb
  solana ok 7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV 4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA
  solana zero_address 11111111111111111111111111111111
  solana malformed 4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYv 4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPY0A
  ethereum token_contract 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48 0xdac17f958d2ee523a2206206994597c13d831ec7
  tron token_contract TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8 TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t
  solana token_contract EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB`

const LONG = `bitcoin malformed ${'1'.repeat(255)}`
const OTHER_TRON = base58check.encode(Uint8Array.of(0xa0, ...new Uint8Array(20).fill(7)))

test.each([...VERDICTS, LONG, `tron testnet ${OTHER_TRON}`])('%s', (line) => {
  const [network, code, ...addresses] = line.split(' ') as [Network, string, ...string[]] // as the table is written
  for (const address of addresses) {
    expect(codeOf(network, address), address).toBe(code)
    if (/^bc1/i.test(address) && code === 'ok') expect(written(network, address)).toBe(address.toLowerCase())
  }
})

test('every hash of bitcoin has its addresses, and bech32 catches every wrong character', () => {
  const program = fc.constantFrom(20, 32).chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
  always(500, program, fc.boolean(), fc.nat(), fc.nat(), (bytes, taproot, at, by) => {
    fc.pre(bytes.some((byte) => byte > 0) && (!taproot || bytes.length === 32))
    const [version, code] = taproot ? [1, bech32m] : [0, bech32]
    const address = code.encode('bc', [version, ...code.toWords(bytes)])
    expect(codeOf('bitcoin', address)).toBe('ok')
    expect(codeOf('bitcoin', typo(address, 3, at, by, BECH32))).toBe('checksum')
  })
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
  test('its addresses pass, and those of another network are told from what is no address', () =>
    always(1000, onSome, anywhere, ([network, text], asked) =>
      expect(codeOf(asked, text)).toBe(network === asked ? 'ok' : 'network_mismatch'),
    ))

  test('base58check catches a wrong character', () => {
    const checked = fc
      .constantFrom('bitcoin', 'tron')
      .chain((network: Network) => fc.tuple(fc.constant(network), address[network]))
    always(1000, checked, fc.nat(), fc.nat(), ([network, text], at, by) =>
      expect(['checksum', 'malformed']).toContain(codeOf(network, typo(text, 0, at, by, BASE58))),
    )
  })

  test('what is written is checked as what was given, and writing it again changes nothing', () => {
    const any = fc.oneof(onSome, fc.tuple(anywhere, fc.string({ maxLength: 255, unit: anyCharacter })))
    always(1000, any, fc.option(fc.string({ maxLength: 255 })), ([network, text], memo) => {
      const given = wallet(network, text, { memo })
      const once = canonicalCoordinates(given)
      expect(canonicalCoordinates(once)).toEqual(once)
      expect(checkCoordinates(once)).toEqual(checkCoordinates(given))
    })
  })

  test('its coins, and no others', () => {
    const coins = ['BTC', 'ETH', 'USDC', 'USDT'] as const
    const all = NETWORKS.flatMap((network) => coins.map((coin) => ({ network, coin, name: `${coin} ${network}` })))
    const code = ({ network, coin }: (typeof all)[number]) => checkCoordinates(wallet(network, 'x', { coin }))[0]?.code
    const fitting = listed`
      ETH ethereum | USDC ethereum | USDT ethereum | BTC bitcoin | USDC tron | USDT tron | USDC solana | USDT solana`
    for (const one of all) expect(code(one), one.name).toBe(fitting.includes(one.name) ? 'ok' : 'network_mismatch')
  })

  test('a memo, where transfers carry one', () => {
    const memo = (network: Network) => checkCoordinates(wallet(network, 'x', { memo: '104467' })).at(-1)
    for (const network of ['tron', 'solana'] as const) expect(memo(network)?.code).toBe('ok')
    for (const network of ['ethereum', 'bitcoin'] as const)
      expect(memo(network)).toEqual({ field: 'memo', status: 'invalid', code: 'not_applicable' })
  })
})
