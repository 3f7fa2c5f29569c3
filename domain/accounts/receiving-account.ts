/** Receiving accounts: where money for an organization arrives. */
import * as v from 'valibot'
import { model, nullableText, timestamp, uuid, describe } from '../text.ts'

export const BANK_CURRENCIES = ['USD', 'EUR', 'GBP'] as const
export const COINS = [
  { currency: 'USDC', network: 'ethereum' },
  { currency: 'USDC', network: 'solana' },
  { currency: 'USDT', network: 'ethereum' },
  { currency: 'USDT', network: 'tron' },
  { currency: 'ETH', network: 'ethereum' },
  { currency: 'BTC', network: 'bitcoin' },
] as const

const shared = {
  id: uuid,
  organization_id: uuid,
  currency: v.string(),
  connection: nullableText,
  status: v.picklist(['provisioning', 'active']),
  account: nullableText,
  details: describe(
    v.nullable(v.record(v.string(), v.string())),
    'Details that a payer needs, by name, once it is active.',
  ),
  inserted_at: timestamp,
}

/** An account at the bank; `account` is its IBAN or number, and `details` what a payer needs, once it is active. */
export const BankAccount = model('BankAccount', shared, {
  account: 'IBAN or number, once it is active.',
})
export type BankAccount = v.InferOutput<typeof BankAccount>

/** An address of one coin on one network; `account` is the address, once it is active. */
export const DepositAddress = model(
  'DepositAddress',
  { ...shared, network: v.string() },
  { account: 'Address, once it is active.' },
)
export type DepositAddress = v.InferOutput<typeof DepositAddress>

export const AccountDetails = model('AccountDetails', {
  type: v.picklist(['bank_account', 'deposit_address']),
  id: uuid,
  network: nullableText,
  account: describe(v.string(), 'IBAN, number or address.'),
  details: describe(v.record(v.string(), v.string()), 'Details that a payer needs, by name.'),
})
export type AccountDetails = v.InferOutput<typeof AccountDetails>
