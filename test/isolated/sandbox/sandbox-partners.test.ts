/** Accounts and rates of the stand-in partners. */
import { randomUUID } from 'node:crypto'
import { isValidBIC, isValidIBAN } from 'ibantools'
import { describe, expect, test } from 'vitest'
import { config } from '../../../platform/config.ts'
import { checkBankCoordinates } from '../../../domain/destinations/bank-coordinates.ts'
import { checkCryptoCoordinates } from '../../../domain/destinations/crypto-address.ts'
import { baseUrl } from '../../support/api.ts'
import { askPartner, usePartners } from '../../support/partners/partners.ts'

usePartners()
const FIAT = 'USD EUR GBP CHF JPY CAD AUD SGD HKD SEK NOK DKK PLN INR MXN BRL CNY ZAR'.split(' ')
const CURRENCIES = [...FIAT, 'USDC', 'USDT', 'BTC', 'ETH']

test('they and the API are reached from their own machine at 127.0.0.1 alone, unless HOST says otherwise', async () => {
  for (const url of [baseUrl, config.sandboxPartnersUrl]) {
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    // as far from 127.0.0.1 as any other address of this machine
    const elsewhere = fetch(`${url.replace('127.0.0.1', '127.0.0.2')}/healthz`)
    await expect(elsewhere).rejects.toMatchObject({ cause: { code: expect.stringMatching(/^E/) } })
  }
})

describe('receiving accounts', () => {
  const open = (currency: string, id: string = randomUUID(), holder = 'Holder Ltd') =>
    askPartner('bank', 'PUT', `/accounts/${id}`, { currency, holder })

  test.each(FIAT)('of the bank in %s', async (currency) => {
    for (let round = 0; round < 2; round += 1) {
      const id = randomUUID()
      const { status, body } = await open(currency, id)
      expect([status, body.id]).toEqual([200, id])
      const { details } = body
      expect(details).toMatchObject({ account_holder_name: 'Holder Ltd', currency })
      expect(body.account).toBe(currency === 'USD' ? details.account_number : details.iban)
      if (details.iban) {
        expect(isValidIBAN(details.iban), details.iban).toBe(true)
        expect(isValidBIC(details.swift_code)).toBe(true)
      }
      const own = { EUR: 'EUR', CHF: 'CHF', USD: 'USD', GBP: 'GBP' }[currency]
      const checks = own ? checkBankCoordinates({ type: 'bank', ...details }) : []
      expect(checks.filter((check) => check.status !== 'ok')).toEqual([])
    }
  })

  test.each([
    ['ethereum', 'ETH', /^0x[0-9a-fA-F]{40}$/],
    ['ethereum', 'USDC', /^0x/],
    ['bitcoin', 'BTC', /^bc1q/],
    ['tron', 'USDT', /^T/],
    ['solana', 'USDC', /^[1-9A-HJ-NP-Za-km-z]{32,44}$/],
  ] as const)('of the custodian on %s for %s', async (network, coin, shape) => {
    const { status, body } = await askPartner('custodian', 'PUT', `/accounts/${randomUUID()}`, { network, coin })
    expect(status).toBe(200)
    expect(body.account).toMatch(shape)
    expect(body.details).toEqual({ network, coin, address: body.account })
    const checks = checkCryptoCoordinates({ type: 'crypto', network, coin, address: body.account })
    expect(checks.map((check) => check.status)).toEqual(['ok', 'ok'])
  })

  test('4 at once are one; another body is a conflict; what is not there is refused', async () => {
    const id = randomUUID()
    const opened = await Promise.all(Array.from({ length: 4 }, () => open('EUR', id)))
    const { account } = opened[0]?.body ?? {}
    expect(opened.map(({ status, body }) => [status, body.account])).toEqual(opened.map(() => [200, account]))
    expect((await open('EUR', id, 'Another')).status).toBe(409)
    for (const currency of ['BTC', 'XYZ']) expect((await open(currency)).body.code).toBe('unsupported_currency')
    const onNetwork = (network: string) =>
      askPartner('custodian', 'PUT', `/accounts/${randomUUID()}`, { network, coin: 'USDC' })
    expect((await onNetwork('bitcoin')).body.code).toBe('unsupported_coin')
    expect((await onNetwork('constructor')).status).toBe(422)
  })
})

describe('rates', () => {
  const rate = async (source: string, target: string) =>
    askPartner('rates', 'GET', `/rates?source=${source}&target=${target}`)

  test('any pair has a rate, which turned round is its inverse', async () => {
    for (const source of CURRENCIES) {
      for (const target of ['USD', 'JPY', 'BTC', source]) {
        const { body } = await rate(source, target)
        expect(body).toMatchObject({ source, target, market: 'open' })
        expect(body.rate).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/)
        const back = (await rate(target, source)).body.rate
        expect(Number(body.rate) * Number(back)).toBeCloseTo(1, 8)
      }
    }
    expect((await rate('EUR', 'XYZ')).body.code).toBe('unsupported_currency')
    expect((await rate('constructor', 'USD')).status).toBe(422)
  })
})
