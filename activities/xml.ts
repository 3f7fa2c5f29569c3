/** Text in XML 1.0. */

/** What XML has no way to say: controls but tab and line ends, halves of a pair, and two that are no characters. */
// oxlint-disable-next-line no-control-regex -- those are what is meant
const UNSAYABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu

/** The text without what XML cannot say. */
export const sayable = (text: string): string => text.replaceAll(UNSAYABLE, '')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** The text as content of an element, or of an attribute in double quotes. */
export const escaped = (text: string): string =>
  sayable(text).replaceAll(/[&<>"\r]/g, (character) => ENTITIES[character] ?? '')
