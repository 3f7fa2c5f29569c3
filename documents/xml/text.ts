/** Text in XML 1.0. */

/** Characters that XML 1.0 cannot hold: controls except tab and line ends, lone surrogates, U+FFFE and U+FFFF. */
// oxlint-disable-next-line no-control-regex -- those are what is meant
const UNSAYABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu

/** Removes the characters that XML cannot hold. */
export const sayable = (text: string): string => text.replaceAll(UNSAYABLE, '')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Escapes text for an element, or an attribute in double quotes. */
export const escapeXml = (text: string): string =>
  sayable(text).replaceAll(/[&<>"\r]/g, (character) => ENTITIES[character] ?? '')
