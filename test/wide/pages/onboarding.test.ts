/** Verification of a company on pages alone: by its owner, and by a person who fills in their own part. */
import { expect, test } from 'vitest'
import { join, organization, person } from '../../support/api.ts'
import { PDF, readOnboarding, reached } from '../../support/onboarding/onboarding.ts'
import { withAuthenticator } from '../../support/identity/identity.ts'
import { DESK, PHONE, type Tab, expectSound, openTab } from '../../support/pages/browser.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const file = (name: string) => ({ name, mimeType: 'application/pdf', buffer: PDF })

async function addPaper({ page }: Tab, kind: string): Promise<void> {
  await page.getByLabel('Paper', { exact: true }).selectOption({ label: kind })
  await page.getByLabel('File', { exact: true }).setInputFiles(file(`${kind}.pdf`))
  await page.getByRole('button', { name: 'Add a paper' }).click()
  await page.getByText(`${kind}.pdf`).first().waitFor()
}

test.each([
  ['on a phone, without script', { viewport: PHONE, javaScriptEnabled: false }],
  ['on a desk, in the dark', { viewport: DESK, colorScheme: 'dark' }],
] as const)(
  'a company says who it is, a director fills in their own part, and it is verified, %s',
  async (_, shape) => {
    const boss = await withAuthenticator()
    const { id } = await organization(boss)
    const ada = await person({ name: 'Ada' })
    await join(id, ada, 'member')
    const tab = await openTab(boss, shape)
    const { page } = tab
    const sound = (of: Tab) => ('javaScriptEnabled' in shape ? undefined : expectSound(of))
    await page.goto(`/o/${id}/company`)
    await page.getByRole('link', { name: 'Verification' }).click()
    await page.getByText('Not submitted yet').waitFor()
    await sound(tab)

    const entity = page.locator('form').filter({ has: page.getByRole('heading', { name: 'The company' }) })
    const given: Record<string, string> = {
      'Legal name': 'Pages GmbH',
      'Founded on': '2015-04-01',
      'Number in the register': 'HRB 12345',
      'Register optional': 'Amtsgericht Köln',
      'Tax number': 'DE136695976',
      'Street and number': 'Domstraße 5',
      'Postal code': '50668',
      Town: 'Köln',
      'Code of the business': '62.01',
      'What the company does': 'Software',
      'Payments a month': 'many',
      Currency: 'eur',
      'Currencies, such as EUR, USD': 'EUR',
      'Countries, such as DE, FR': 'DE',
    }
    for (const [label, value] of Object.entries(given)) await entity.getByLabel(label, { exact: true }).fill(value)
    await entity.getByLabel('Country of the register').selectOption('DE')
    await entity.getByLabel('Country', { exact: true }).selectOption('DE')
    await entity.getByLabel('List of codes').selectOption('nace')
    await entity.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    expect(await entity.getByLabel('Legal name').inputValue()).toBe('Pages GmbH') // nothing is entered twice
    await entity.getByLabel('Payments a month').fill('50,000.00')
    await entity.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await sound(tab)

    const own = await openTab(ada, shape)
    await own.page.goto(`/o/${id}/company/onboarding`)
    await own.page.getByText('You are not named').waitFor()
    await page.getByText('Name a person').first().click()
    await page.getByLabel('Director').last().check()
    await page.getByLabel('Controls the company').last().check()
    await page.getByLabel('Member who fills in their own part').last().selectOption({ label: 'Ada Person' })
    await page.getByRole('button', { name: 'Name a person' }).last().click()
    await page.getByText('Controls the company, Director').waitFor()
    await addPaper(tab, 'Extract of the register')
    await addPaper(tab, 'Articles of the company')

    await own.page.goto(`/o/${id}/company/onboarding`)
    await own.page.getByText('Fill in your part here').waitFor()
    expect(await own.page.getByLabel('Legal name').count()).toBe(0)
    await own.page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await own.page.getByLabel('Day of birth').fill('1990-12-10')
    await own.page.getByLabel('Nationality').selectOption('GB')
    await own.page.getByLabel('Street and number').fill('Ring 7')
    await own.page.getByLabel('Postal code').fill('50667')
    await own.page.getByLabel('Town').fill('Köln')
    await own.page.getByLabel('Country', { exact: true }).selectOption('DE')
    await own.page.getByRole('button', { name: 'Save the person' }).click()
    await own.page.getByText('Saved.').waitFor()
    await sound(own)
    await addPaper(own, 'Identity document of Ada Lovelace')
    await own.page.getByText('Nothing of yours is missing').waitFor()
    await sound(own)

    await page.goto(`/o/${id}/company/onboarding`)
    await page.getByText('Nothing is missing').waitFor()
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByLabel('Code of your authenticator').fill(await boss.code(0))
    await page.getByRole('button', { name: 'Confirm with code' }).click()
    await page.getByText('Submitted: the review begins now').waitFor()
    await reached(boss, id, 'verified')
    await page.goto(`/o/${id}/company/onboarding`)
    await page.getByText('is reviewed again').waitFor()
    await sound(tab)
    const { entity: kept, people } = await readOnboarding(boss, id)
    expect(kept).toMatchObject({ legal_name: 'Pages GmbH', expected: { monthly_volume: { amount: '50000.00' } } })
    expect(people).toMatchObject([{ name: 'Ada Lovelace', roles: ['controlling_person', 'director'] }])
  },
)
