/** HTML part of a mail: tables and inline styles, which mail programs show; no picture, no script, no tracking. */
import { type Action, type Fact, type MailContent, clean } from './mail.ts'

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const WRAP = 'overflow-wrap:anywhere;word-break:break-word'
/** Colors of programs that know the dark; the inline ones are those of the light. */
const DARK = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background-color:#11161d!important}.card{background-color:#1c232d!important;border-color:#3d4854!important}
.ink{color:#eef1f4!important}.soft{color:#b9c2cc!important}.line{border-color:#3d4854!important}
.link{color:#9cc2ff!important}}`
const TABLE = 'role="presentation" border="0" cellpadding="0" cellspacing="0"'

/** Renders the HTML part, at most 600 px wide; every word of it is escaped. */
export function renderHtml({ subject, paragraphs, facts = [], code, action, footer, language }: MailContent): string {
  const title = words(subject)
  return `<!doctype html>
<html lang="${escape(language ?? 'en')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="x-apple-disable-message-reformatting">
<title>${title}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#eef1f4">
<table ${TABLE} width="100%" class="page" style="background-color:#eef1f4">
<tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table ${TABLE} width="600"><tr><td><![endif]-->
<table ${TABLE} width="100%" class="card" style="max-width:600px;background-color:#ffffff;border:1px solid #d4dae1;border-radius:8px">
<tr><td dir="auto" style="padding:28px 24px 24px;text-align:start;${FONT};${WRAP}">
<h1 class="ink" style="margin:0 0 16px;font-size:21px;line-height:28px;font-weight:600;color:#18202a">${title}</h1>
${paragraphs.map((paragraph) => paragraphOf(paragraph, code)).join('\n')}
${facts.length > 0 ? tableOf(facts) : ''}
${action ? buttonOf(action) : ''}
</td></tr>
<tr><td dir="auto" class="line" style="padding:16px 24px 20px;border-top:1px solid #d4dae1;text-align:start;${FONT};${WRAP}">
${footer.map(footnoteOf).join('\n')}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? '')

const words = (piece: string): string => escape(clean(piece))

function paragraphOf(paragraph: string, code: string | undefined): string {
  const shown = words(paragraph)
  const marked = code
    ? shown.replaceAll(escape(code), (digits) => `<strong style="font-size:24px;letter-spacing:3px">${digits}</strong>`)
    : shown
  return `<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;color:#18202a">${marked}</p>`
}

/** Keeps the words of labels, which are ours, unbroken where those of values break. */
const WHOLE_WORDS = 'overflow-wrap:normal;word-break:normal'
const CELL = `padding:8px 0;border-top:1px solid #d4dae1;font-size:15px;line-height:22px;vertical-align:top;text-align:start;${FONT}`

const tableOf = (facts: readonly Fact[]): string =>
  `<table border="0" cellpadding="0" cellspacing="0" width="100%" style="margin:0 0 20px">
${facts
  .map(
    ([label, value]) => `<tr>
<th scope="row" width="34%" class="soft line" style="${CELL};${WHOLE_WORDS};padding-right:12px;font-weight:400;color:#4a5563">${words(label)}</th>
<td dir="auto" class="ink line" style="${CELL};font-weight:600;color:#18202a;${WRAP}">${words(value)}</td>
</tr>`,
  )
  .join('\n')}
</table>`

/** Shows the link as a button, and in full below it, for programs that show no button. */
function buttonOf({ label, url }: Action): string {
  const href = escape(url)
  return `<table ${TABLE} style="margin:0 0 12px"><tr><td align="center" style="background-color:#1f5fd6;border-radius:6px">
<a href="${href}" style="display:inline-block;padding:12px 22px;font-size:16px;line-height:22px;font-weight:600;color:#ffffff;text-decoration:none;${FONT}">${words(label)}</a>
</td></tr></table>
<p style="margin:0;font-size:13px;line-height:20px;word-break:break-all"><a href="${href}" class="link" style="color:#1f5fd6">${href}</a></p>`
}

const footnoteOf = (sentence: string): string =>
  `<p class="soft" style="margin:0 0 6px;font-size:13px;line-height:20px;color:#4a5563">${words(sentence)}</p>`
