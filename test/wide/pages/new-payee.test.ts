/** Pages of approvers: a new payee with all that is approved, and names that may deceive wherever they stand. */
import { expect, test } from 'vitest'
import { api } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { BANK, WALLET, setting } from '../../support/contacts/destinations.ts'
import { DESK, PHONE, expectSound, openTab } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

/** An account whose holder is lost on its way. */
const FAR = { ...BANK, iban: 'FR1420041010050500013M02606', country_code: 'FR', account_holder_name: '株式会社東京' }
const ADDRESS = { street: 'Größenweg', building_number: '5½', postal_code: '10115', town: 'Köln', country_code: 'DE' }

test('a new payee shows holder, country, currency, account, address and what the bank says; its name is marked everywhere', async () => {
  const { boss, payer, list } = await setting()
  const make = (name: string, ...destinations: readonly object[]) =>
    api('POST', list, { token: boss.token, body: { name, type: 'business', email: 'pay@example.com', destinations } })
  await make('Paypal', BANK)
  await setRules(payer.id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const account = { account_holder_name: 'Close Match Ltd', iban: 'DE89370400440532013000', payee_address: ADDRESS }
  const { body } = await make('Pаypal', { ...BANK, ...account }, WALLET, FAR)
  const mark = '⚠ letters of several alphabets'
  for (const viewport of [PHONE, DESK]) {
    const tab = await openTab(boss, { viewport })
    const said = async () => (await tab.page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
    await tab.page.goto('/approve')
    expect(await said()).toContain(`Pаypal ${mark} Payee · asked by`)
    expect(await said()).toContain('looks like another payee similar name at the bank')
    await tab.page.goto(`/approve/${body.approval_request_id}`)
    expect(await tab.page.title()).toContain(`New payee: Pаypal (${mark})`)
    const places = [
      `New payee Pаypal ${mark}`,
      'The bank knows this account under a similar name',
      'The name looks like that of another payee',
      '⚠ Looks like Paypal, another payee of yours',
      'E-mail pay@example.com',
      'New bank account, the default',
      'Account holder Close Match Ltd Account',
      'Account holder 株式会社東京 Holder in letters of SEPA ⚠ ......',
      'Account …3000',
      'Country Germany (DE)',
      'Currency EUR',
      'The bank says ⚠ The account belongs to a similar name: Close Match Limited',
      'Address Größenweg 5½, 10115 Köln, DE',
      'Sent to the bank as Groessenweg 5 1/2, 10115 Koeln',
      'New wallet',
      'Network ethereum',
      `Address ${WALLET.address}`,
      'Currency USDC',
      'Approve',
    ]
    const shown = await said()
    expect(places.filter((words) => !shown.includes(words))).toEqual([])
    await expectSound(tab)
    if (process.env['SHOTS'])
      await tab.page.screenshot({ path: `${process.env['SHOTS']}/payee-${viewport.width}.png`, fullPage: true })
    await tab.page.getByRole('button', { name: 'Approve' }).click()
    expect(await said()).toContain(`Approve: Add the payee "Pаypal" ${mark} (holder "Close Match Ltd"`)
    if (process.env['SHOTS'])
      await tab.page.screenshot({ path: `${process.env['SHOTS']}/proof-${viewport.width}.png`, fullPage: true })
  }
})
