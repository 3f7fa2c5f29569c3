/** Every page of companies with nothing, with some and with hundreds of things: photographed, and sound. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { SHOWN } from '../../../pages/app.ts'
import { SIGN_IN } from '../../../pages/sign-in/routes.ts'
import { inLanes } from '../../../platform/concurrency.ts'
import type { TestPerson } from '../../support/api.ts'
import { fill, show } from '../../support/pages/addresses.ts'
import { PHONE, expectSound, openTab } from '../../support/pages/browser.ts'
import { type Sized, largeCompany, newCompany, smallCompany } from '../../support/pages/sizes.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

/** Pictures of the last run, for people to look at: git ignores them. */
const FOLDER = 'coverage/pages'
const WIDTHS = [360, 768, 1280] as const
const HEIGHTS = { 360: 740, 768: 1024, 1280: 900 } as const
const SIZES = ['new', 'small', 'large'] as const
type Size = (typeof SIZES)[number]

const LANES = 3
/** Streams never end, programs of others ask with what they want, and files are no pages. */
const NO_PICTURE = /\/(?:stream|authorize|preview|pdf|xml|file|results|template|receipt|[\w-]+\.(?:png|pdf|json))$/

type Shot = {
  readonly size: Size
  readonly path: string
  readonly name: string
  readonly width: (typeof WIDTHS)[number]
  readonly options: BrowserContextOptions
}

/** Tells if a page is about one thing of its company: only the small one has one for each page. */
const isOfThing = (address: string): boolean => /\/:(?!company)|\/payments\/check$/.test(address)

/** Lists pictures: each page at each width once; sizes, languages, colours and script take turns. */
function shotsOf(companies: Readonly<Record<Size, Sized>>): Shot[] {
  const addresses = [...Object.keys(SHOWN), '/nothing-is-here'].filter((address) => !NO_PICTURE.test(address))
  return addresses.flatMap((address, row) =>
    WIDTHS.flatMap((width, column) => {
      const turn = row + column
      const size = isOfThing(address) ? 'small' : (SIZES[turn % SIZES.length] ?? 'small')
      const [isDark, isGerman] = [turn % 2 === 1, (Math.floor(row / 2) + column) % 2 === 1]
      const hasScript = (row + 2 * column) % 3 !== 0
      const options: BrowserContextOptions = {
        viewport: { width, height: HEIGHTS[width] },
        colorScheme: isDark ? 'dark' : 'light',
        locale: isGerman ? 'de-DE' : 'en-GB',
        javaScriptEnabled: hasScript,
      }
      const traits = [width, isDark ? 'dark' : 'light', isGerman ? 'de' : 'en', ...(hasScript ? [] : ['no-script'])]
      return fill(address, companies[size].ids).map((path, at): Shot => {
        const page = address.slice(1).replaceAll(/:?\//g, '.').replaceAll(':', '').replace('o.company', 'o') || 'root'
        return { size, path, width, options, name: `${page}${at || ''}-${size}-${traits.join('-')}.png` }
      })
    }),
  )
}

const HEIGHT_MAX = 6000
/** Photographs a page whole; the tab that it leaves open has script, without which axe cannot look at it. */
async function photograph(viewer: TestPerson | null, path: string, file: string, options: BrowserContextOptions) {
  const tab = await openTab(viewer, options)
  await tab.page.goto(path)
  const { width, height } = tab.page.viewportSize() ?? PHONE
  const whole = Number(await tab.page.evaluate('document.documentElement.scrollHeight'))
  await tab.page.setViewportSize({ width, height: Math.min(Math.max(whole, height), HEIGHT_MAX) }) // bars stay below
  const shoot = () => tab.page.screenshot({ path: file })
  await shoot().catch(shoot) // now and then Chromium cannot, while its size changes
  await tab.page.setViewportSize({ width, height })
  if (options.javaScriptEnabled !== false) return tab
  await tab.page.context().close()
  const looked = await openTab(viewer, { ...options, javaScriptEnabled: true })
  await looked.page.goto(path)
  return looked
}

/** Says what was found, too, where an expectation failed. */
function sayFault(error: unknown): string {
  const found = error instanceof Error && 'actual' in error ? JSON.stringify(error.actual) : ''
  return `${error instanceof Error ? error.message : String(error)} ${found}`.slice(0, 800)
}

test(
  'each page is sound at each width, in companies of each size, and is photographed',
  { timeout: 360_000 },
  async () => {
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    const [fresh, small, large] = await Promise.all([newCompany(), smallCompany(), largeCompany()])
    const companies = { new: fresh, small, large }
    const faults: string[] = []
    let taken = 0
    await inLanes(shotsOf(companies), LANES, async ({ size, path, name, options }) => {
      const isOutside = (path.split('?')[0] ?? '') in SIGN_IN.shown
      const { boss } = companies[size]
      const probe = await show(path, isOutside ? {} : { session: boss.token })
      await probe.body?.cancel()
      if (probe.status === 302 || probe.status === 303) return // leads on to a page that has its own picture
      if (!probe.headers.get('content-type')?.startsWith('text/html')) return
      if (probe.status >= 400 && !path.startsWith('/nothing')) return void faults.push(`${probe.status} ${path}`)
      const viewer = isOutside ? null : boss
      try {
        const tab = await photograph(viewer, path, join(FOLDER, name), options)
        taken += 1
        await expectSound(tab)
        await tab.page.context().close()
      } catch (error) {
        faults.push(`${name}: ${sayFault(error)}`)
      }
    })
    expect(taken).toBeGreaterThan(200)
    expect(faults).toEqual([])
  },
)
