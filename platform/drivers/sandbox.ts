/** Connections of the sandbox to stand-ins that speak the protocols of providers. Their secrets are public. */
import { createPublicKey } from 'node:crypto'
import * as v from 'valibot'
import { DEVELOPMENT } from '../live.ts'
import { fileBankFolder } from './iso20022.ts'

const SANDBOX_PARTNERS = ['increase', 'file-bank', 'fireblocks', 'ecb', 'screening'] as const
type SandboxPartner = (typeof SANDBOX_PARTNERS)[number]
export const SandboxPartners = v.array(v.picklist(SANDBOX_PARTNERS, `must be of ${SANDBOX_PARTNERS.join(', ')}`))

/** Private key by which we sign requests to the stand-in of Fireblocks. */
const OUR_KEY = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDQOhBFmAxdXgmY
QClSwEr1rrhCBR9YSxCqh+GIrEIYluG8KAb9KdpE+Bl+1Le4fH9/V3fDV75GEIoO
0u6D7Iu907ryC23YSbUj3pGOtljLd+gWJ33dkxVig08hHklP/lOtokBLqGdXnli3
MYnicvFD8BKHABAoondT6CfrsNG1tnTbJYfpbdKZIg+u4e4DDqZb97RLfwVrgnWt
EdVRHJEFTJ/p5EvP2wpcsv2OUoXT2qQaurxqr1weDIuLEo8lJw4yoDVPmoahXjeV
P+8JFiFUKXnXTcCqs58qtPusosEji8/nDhQtAa512bPYDLphSH49Bq0IvWWWJdN5
JJ3pv/rPAgMBAAECggEAL4U4xnErTTmTTfxCkgCRet07btG1dBR5grmM9oB9exgf
/y1RXwBosDnAs8m+/ernu/uNuPZy1ZGbuENaLKBUyecisG98S5KStNNr+5pQzGqa
fEfZ+THCfR+DdQbw60Ea/rLbIokVwJDCJVi4Y4Yg2oTU7ZtNlMBzJCKEzcymJ2ZJ
JOuR4fN9jg1VYO0zXzUCTjzQnv9OfXbgU8suPmudfSNGPf4jHf5+9yjaJooi3SmC
1XPFsV1Qw+agX9oxAQsV0xc5ku97zgdxJeYFVWEx/dOvpZKkiihEG+HWuARkvw4a
xrGnn+2jC/X/QH8rA/eQnkPFXFfnb7W9Oan6K0WqfQKBgQD7UG/HBotU0WkH5jwH
/1wRxhfoUbYfBKT5K7faN57b6Nga/A5N23HOW1Silq2wB6ZaOQW8kYzPeTzq1vaq
7JJbRhStwpzoHTrfPT6dXv8hO26NgQpnVeWzMJIbM31eRRO5JO8cXk0r72IQwtw5
JH7Jp81C7eUskaAyAkuJaP0TbQKBgQDUG/a9J5DqOEOupWvcTXH5hk4Lmaks1t41
c90btFPZ4ZZyIXpVExB+4Eb+rZgGdniICBapnSjHCnml2OzMZlBoObaKOgkZoi53
uH7UMe7ScnE2V+scy1i/YMZpsERlfRsFmkaATvzCGiMy3B3UqycH1LpH7iHekIn2
Vkw///JlqwKBgQDtdpq3v3pGAb0xpp3QnLx9WuVaMmNYucW8X0/QlL+5YTFZhhNq
A9FsQCYfnyqs6v2HwNunywv3OsKRz96xsOm17uk5Kmuic4QeTjts7cc6unKCqIyR
CbwKbfmQVD3Appq1Va3N61kWC5Jo7gayw8Y9ex3bgPgL/eoVds+zHg4LnQKBgC2N
r+kh5TqYSNjqSAbxTwgS8xIEt1Oc9e4u6w63JMcHbuMmE3rP9Fv7WOP7bkn9CZfV
fOCCky5kLooS05B2bNBljLGVEz1BGo+1vO9fpfXmhC/yo9j0RyQa6aHrLFVLkBEc
+AU4cYpSSLr0kSeKdoB1DGjEWNvO2QJhuFCKbImvAoGASIabSLVT8HZATVVkhFSq
w6lcPBXgvlayJ9dCMGHv6jIGODmbyFCwwmBuZL5Gy5PrMnpdXTqu/C1xOOrel88/
uNIIsJ+2gurfSola4TwAexG+YQKBuN9QW2bDYU/fbOAM7R4FVPYy1iOctSsbrV4E
R52WGlAsxW7eUR5Fq29DRLc=
-----END PRIVATE KEY-----`

/** Private key by which the stand-in of Fireblocks signs its callbacks. */
const THEIR_KEY = `-----BEGIN PRIVATE KEY-----
MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQCeFZcZ6GHCVHqk
4scCqI83SttIx7Y9EHmtKDH1qkJlC83ObmP4+n/beCuxytTArssGZSGYB9HnXC+B
rsY2OO0Dkz8u7ZmxxP8+Q8APCX6/eSUVV1IEV9l1y/oYBFgowSceHk3u2LdEmQHR
jw92Y2FuSELSt6E+oDD3+v1uqNhZZI83KuUh16EYOZBUpmExCPjNPees38CC2FZF
mKaoKYKtimDfKQDcj8rlP+nhKmwtInNoFiXOB/dXvu6B8DaAHK6tXDLEpVJNCWpS
9C7+R2vPK1SJ41rOym1ui6sXmu9oskUXXvfx+lW+8ChccItYfmT2JwP0Cd8tpxIE
zLgcbYmTAgMBAAECggEACwOpr0lspK1dwJoR9mwOIAxPWQCcZu0viewDoLOhkQhd
T4u+qKNNDNqQZZo8CcZj9bWBvX9iyM7rrgpvKJ0wwY+dCfg0cP/IlOsD7Ht9FEdf
8qu1Cc5t8IvEu69ANGuFl5vSH3K3QJVOKVUUmITcgS8rULxj0Xw4M570ndgvzF9d
03a6McZl43ekvE83jEda2sZwS5UGt9iXiydfo3EN3DLzXv1WCLFHyiFFh0WA8KM3
5rzhe4qk95wV+WTjlVGDJ7XyM40K6K8Lm7WXP1sBGkVD1dsvY7+MLe5FC3J7ViEI
PP4aLpqJ8FlwEDuFEopSBoGfRUy0MTMxq8SK13q+SQKBgQDQreqFI6J3+pnAQ1XN
OY4VY8+des5lBahrDRI+BSPxHhZQg+/7k0+1EGGRNWp3BFWgWrgBk4eggsiPpBFd
D048b3XYuAwP6+cELkBMBNRxV8YYWeruMc2495YZiMgc13JMiBB/pHwzAU0FzPNk
b2NFe3u460xdB8xvWIxFfpywpQKBgQDB7pK62yJl4rRmO4AEKCkMtmyPIX/pA2Mm
m2HG4TbPQvV5CAo9SudGbWSmetlSBvwLiJ6/qNEzMcpWteHMs9TSfcvIRA4JmhB/
iCB5WkTbVdwVybJ0JAm0ZJzA0DtnzFq8316SrjgPC82bxGcz3oV9X7X4EEm1Wdwi
TKOlpRJD1wKBgQDMMWHJ5ZSU0iKgf0L2Ddt6ErCU6BYNw/uIxMGU7nK8/TPYlUG+
aecUxXKzJBGJZDRlNF/ZKwMLjO2zoFddOBzWBjrKVU14Rt1GufswZ4l5Xun36gR4
D0O+OoYldjJaBndRa9K5E7p0LlGv21xOarA4zRvDVnrijT79tSeM2Nd6AQKBgQCU
cDrJYX/TwpHYioRzKhY5j8xKRhb00M3suBRAORRN0m+3w0qrHZEmnAblUrTTD1uO
rHTuOJZf/CVm93Ksz5z/vJ/lWwnvmYg1RYmtuUVpKS/7UVYRhaAT/sro3roJuiZd
2Q83cLih86PeLZfc4N8GVuMey8DPWcegTU8ZM99mIwKBgQCAtXTURVGh9zvxTsLR
iPjUEGZrw/TH25cd2Kpd2/GTZ8+YtTlsMx2ZXuQ/ojIpt+nwtNcM350ajPCX8+0i
CMRMoBKQzerPdon4XYftKo5foC2Qc215FX5q/pgtdaw3pHBgQixdD0l03Eb408dy
nx3xWuPGc9fRkX2h6sLKk+Bmyw==
-----END PRIVATE KEY-----`

/** Derives the public key of a key in PEM. */
export const publicOf = (pem: string): string => createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString()

/** Keys of the stand-in of Fireblocks. */
export const SANDBOX_FIREBLOCKS = {
  apiKey: '5f1c1a52-0b61-4d6f-9d8e-6a2b7f3c9e10',
  ourKey: OUR_KEY,
  ourPublicKey: publicOf(OUR_KEY),
  theirKey: THEIR_KEY,
  theirPublicKey: publicOf(THEIR_KEY),
} as const

/** Account of the stand-in of Increase. */
export const SANDBOX_ACCOUNT = 'sandbox_account_business_finance'

/** Names their connections: those that every part of a sandbox knows, but for the second bank. */
export const SANDBOX_NAMES: Readonly<Record<SandboxPartner, string>> = {
  increase: 'usd',
  'file-bank': 'bank',
  fireblocks: 'custodian',
  ecb: 'rates',
  screening: 'watch',
}

/** Writes the connections to these stand-ins, as PARTNERS_FILE has them. */
export const sandboxEntries = (
  partners: readonly SandboxPartner[],
  dataDir: string,
  sandbox = 'http://localhost:3100',
): readonly object[] =>
  SANDBOX_PARTNERS.filter((one) => partners.includes(one)).map((one) => ({
    name: SANDBOX_NAMES[one],
    ...ENTRIES[one](dataDir, sandbox),
  }))

const FILE_BANK_ACCOUNTS = [
  { currency: 'EUR', iban: 'DE75500105175400000000', bic: 'INGDDEFFXXX' },
  { currency: 'GBP', iban: 'DE69500105175400000011', bic: 'INGDDEFFXXX' },
  { currency: 'USD', iban: 'DE63500105175400000022', bic: 'INGDDEFFXXX' },
  { currency: 'CHF', iban: 'DE57500105175400000033', bic: 'INGDDEFFXXX' },
  { currency: 'PLN', iban: 'DE51500105175400000044', bic: 'INGDDEFFXXX' },
  { currency: 'SEK', iban: 'DE45500105175400000055', bic: 'INGDDEFFXXX' },
  { currency: 'DKK', iban: 'DE39500105175400000066', bic: 'INGDDEFFXXX' },
  { currency: 'NOK', iban: 'DE33500105175400000077', bic: 'INGDDEFFXXX' },
  { currency: 'CZK', iban: 'DE27500105175400000088', bic: 'INGDDEFFXXX' },
  { currency: 'HUF', iban: 'DE21500105175400000099', bic: 'INGDDEFFXXX' },
  { currency: 'JPY', iban: 'DE15500105175400000110', bic: 'INGDDEFFXXX' },
  { currency: 'CAD', iban: 'DE09500105175400000121', bic: 'INGDDEFFXXX' },
  { currency: 'AUD', iban: 'DE03500105175400000132', bic: 'INGDDEFFXXX' },
]

const FIREBLOCKS_ASSETS = {
  'USDC/ethereum': 'USDC',
  'USDC/solana': 'SOL_USDC_PTHX',
  'USDT/ethereum': 'USDT_ERC20',
  'USDT/tron': 'TRX_USDT_S2UZ',
  'ETH/ethereum': 'ETH',
  'BTC/bitcoin': 'BTC',
}

const ENTRIES: Readonly<Record<SandboxPartner, (dataDir: string, sandbox: string) => object>> = {
  increase: () => ({
    driver: 'increase',
    serves: [{ rail: 'fiat', currencies: ['USD'] }],
    key: DEVELOPMENT.partnerKey,
    callback_secret: DEVELOPMENT.callbackSecret,
    account: SANDBOX_ACCOUNT,
    verifies: true,
  }),
  'file-bank': (dataDir) => ({
    driver: 'iso20022',
    serves: [{ rail: 'fiat' }],
    holder: 'Business Finance Service',
    accounts: FILE_BANK_ACCOUNTS,
    transport: { folder: fileBankFolder(dataDir, SANDBOX_NAMES['file-bank']) },
    poll_minutes: 0.02,
    flush_minutes: 0.02,
    instant: true,
  }),
  fireblocks: () => ({
    driver: 'fireblocks',
    serves: [{ rail: 'crypto', coins: FIREBLOCKS_ASSETS }],
    key: SANDBOX_FIREBLOCKS.apiKey,
    private_key: SANDBOX_FIREBLOCKS.ourKey,
    callback_key: SANDBOX_FIREBLOCKS.theirPublicKey,
    vault: '0',
  }),
  ecb: () => ({ driver: 'ecb', serves: [{ rates: true }], margin_bp: 0 }),
  screening: (_, sandbox) => ({
    driver: 'http',
    serves: [{ screening: true }],
    url: `${sandbox}/${SANDBOX_NAMES.screening}`,
    key: DEVELOPMENT.partnerKey,
  }),
}
