/** `npm run pictures`, beside `npm start`: photographs inbox, approval and operate for the docs. */
import packaged from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { client, newKey, organization_id, ready, sessionToken, signIn } from './demo/caller.ts'

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1000, height: 700 }
const GAP = 24

await signIn()
const { api_url, demo } = ready
const iban = 'DE89370400440532013000'
const bank = { type: 'bank', country_code: 'DE', currency: 'EUR', account_holder_name: 'Supplier GmbH', iban } as const
const { id: payment_contact_id } = await client.createPaymentContact(
  { organization_id, name: 'Supplier GmbH', type: 'business', destinations: [bank] },
  newKey(),
)
const euros = { amount: '2450.00', currency: 'EUR' } as const
const { quote_id } = await client.preflightPayment({ payment_contact_id, amount: euros, side: 'landing' })
const payout = await client.executePayment(
  { quote_id, payout_reason: 'services', statement_description: 'Invoice 1002' },
  newKey(),
)
for (const [amount, text] of [
  ['912.40', 'Tools'],
  ['18.00', 'Coffee'],
] as const) {
  const texts = { payout_reason: 'services', statement_description: text }
  await client.createPayment(
    { payment_contact_id: demo.payment_contact_id, amount: { amount, currency: 'USD' }, ...texts },
    newKey(),
  )
}

const browser = await chromium.launch({ executablePath: await packaged.executablePath(), args: ['--no-sandbox'] })

/** Photographs a page of a viewer who is signed in. */
async function photograph(path: string, viewport: { width: number; height: number }): Promise<Buffer> {
  const context = await browser.newContext({ viewport, deviceScaleFactor: 2, colorScheme: 'light' })
  await context.addCookies([{ name: 'session', value: sessionToken(), url: api_url }])
  const page = await context.newPage()
  await page.goto(api_url + path)
  const picture = await page.screenshot()
  await context.close()
  return picture
}

const scale = 2
const phones = [await photograph('/approve', PHONE), await photograph(`/approve/${payout.approval_request_id}`, PHONE)]
const width = (PHONE.width * phones.length + GAP * (phones.length - 1)) * scale
const sheet = sharp({ create: { width, height: PHONE.height * scale, channels: 3, background: '#fff' } })
sheet.composite(phones.map((input, index) => ({ input, left: index * (PHONE.width + GAP) * scale, top: 0 })))
await sharp(await sheet.png().toBuffer())
  .resize({ width: width / scale })
  .png({ palette: true })
  .toFile('docs/approve.png')
await sharp(await photograph('/operate', DESK))
  .resize({ width: DESK.width })
  .png({ palette: true })
  .toFile('docs/operate.png')
await browser.close()
