/** Actions of a PDF, as they stand in its text. */

/** Name of an action that runs programs, or a reference to an object. */
const NAME = /\/(?:JavaScript|Launch|Rendition)\b|\d+[\s\0]+\d+[\s\0]+R\b/y
const BLANKS = /[\s\0]*/y
const LINE = /[^\r\n]*/y

/**
 * Tells whether a PDF has an action that runs a program, or plays media by one. It is seen in clear (ISO 32000-1, 12.6.4):
 * blanks, NULs and comments may precede its name. No writer has the name in an object of its own, where it would not be
 * seen. Reads each line once, however many comments begin in it.
 */
export function hasActionOfProgram(text: string): boolean {
  let line = { from: 0, to: -1 } // a comment up to its end
  let skipped = { from: 0, to: -1 } // blanks and comments behind the first end of a comment
  for (let key = text.indexOf('/S'); key >= 0; key = text.indexOf('/S', key + 2)) {
    let at = endOf(BLANKS, text, key + 2)
    let first = -1
    while (text[at] === '%') {
      if (at < line.from || at > line.to) line = { from: at, to: endOf(LINE, text, at) }
      const end = line.to
      if (first < 0) first = end
      at = skipped.from <= end && end < skipped.to ? skipped.to : endOf(BLANKS, text, end)
    }
    if (first >= 0) skipped = { from: first, to: at }
    NAME.lastIndex = at
    if (NAME.test(text)) return true
  }
  return false
}

/** Finds the end of what a sticky expression matches at a place; the place itself if it matches nothing. */
function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at
  return at + (expression.exec(text)?.[0].length ?? 0)
}
