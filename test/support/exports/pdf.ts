/** Reads our PDFs: their pages, and their text by the ToUnicode maps of their fonts. */
import { inflateSync } from 'node:zlib'

/** A line for each drawn text, by page and of all; U+FFFD for a glyph without a letter. */
export function readPdf(pdf: Uint8Array): { pages: number; text: string; texts: readonly string[] } {
  const whole = Buffer.from(pdf).toString('latin1')
  const objects = new Map<string, string>()
  for (const [, id = '', body = ''] of whole.matchAll(/^(\d+) 0 obj\n([^]*?)\nendobj/gm)) objects.set(id, body)
  const streamOf = (name: string, body: string): string =>
    inflated(objects.get(new RegExp(`/${name} (\\d+) 0 R`).exec(body)?.[1] ?? '') ?? '')

  const fonts = new Map<string, string[]>()
  for (const [, font = '', id = ''] of whole.matchAll(/^\/(F\d+) (\d+) 0 R/gm)) {
    fonts.set(font, lettersOf(streamOf('ToUnicode', objects.get(id) ?? '')))
  }
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b(?!s)/.test(body))
  const texts = pages.map((page) => {
    const lines: string[] = []
    let letters: string[] = []
    for (const [, font, glyphs = ''] of streamOf('Contents', page).matchAll(/\/(F\d+) \S+ Tf|\[([^\]]*)\] TJ/g)) {
      if (font) letters = fonts.get(font) ?? []
      else
        lines.push(
          hexesIn(glyphs)
            .flatMap(unitsOf)
            .map((glyph) => letters[glyph])
            .join(''),
        )
    }
    return lines.join('\n')
  })
  return { pages: pages.length, text: texts.join('\n'), texts }
}

const inflated = (object: string): string => {
  const data = /stream\n([^]*)\nendstream/.exec(object)?.[1] ?? ''
  return inflateSync(Buffer.from(data, 'latin1')).toString('latin1')
}

/** Letters by glyph number, from a ToUnicode map; one glyph may be several letters. */
const lettersOf = (map: string): string[] =>
  Array.from(map.matchAll(/\[([^\]]*)\]/g), ([, list = '']) => hexesIn(list))
    .flat()
    .map((hex, glyph) => (glyph === 0 ? '\ufffd' : String.fromCharCode(...unitsOf(hex))))

const hexesIn = (text: string): string[] => Array.from(text.matchAll(/<([^>]*)>/g), ([, hex = '']) => hex)
const unitsOf = (hex: string): number[] =>
  Array.from(hex.matchAll(/[0-9a-f]{4}/g), ([unit]) => Number.parseInt(unit, 16))
