/** Prints HTML to PDF through one tab of one browser. */
import { chromium } from 'playwright-core'

export async function withPrinter<Result>(
  executablePath: string,
  use: (print: (html: string, size?: PageSize) => Promise<Buffer>) => Promise<Result>,
): Promise<Result> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--font-render-hinting=none'] })
  try {
    const page = await browser.newPage()
    return await use(async (html, size = { format: 'A4' }) => {
      await page.setContent(`<!doctype html><meta charset="utf-8"><body>${html}</body>`)
      const margin = size.width ? '3mm' : '16mm'
      if (size.width) await page.setViewportSize({ width: Math.round((parseFloat(size.width) - 6) * MM), height: 100 })
      const height =
        size.width &&
        `${Math.ceil((await page.locator('body').evaluate(({ scrollHeight }) => scrollHeight)) / MM) + 10}mm`
      const sides = { top: margin, bottom: margin, left: margin, right: margin }
      return page.pdf({ ...size, ...(height && { height }), margin: sides, printBackground: true })
    })
  } finally {
    await browser.close()
  }
}

/** A sheet, or a roll of some width in millimetres. */
export type PageSize = { readonly format?: 'A4' | 'Letter'; readonly width?: string }
/** Pixels of a millimetre in a browser. */
const MM = 96 / 25.4
