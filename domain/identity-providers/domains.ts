/** Domains of mail addresses that an organization proves: its own ones, and none that many people share. */
import * as v from 'valibot'
import { line } from '../text.ts'

const DOMAIN_CHARACTERS_MAX = 253
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
/** Signs that end a domain in a URL, or are none of one. */
const NO_DOMAIN = /[\s/?#:@\\%[\]]/u

/** Second levels under which registries of countries give names, as `co.uk`. */
const REGISTRY_LABELS = new Set(
  'ac asn biz co com edu firm gen go gob gouv gov gv id in ind info ltd me mil muni name ne net nic nom or org plc police pro sch school web'.split(
    ' ',
  ),
)

/** Domains that give addresses, or names below them, to anyone. */
const SHARED = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com passport.com yahoo.com ymail.com rocketmail.com
  icloud.com me.com mac.com aol.com aim.com gmx.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de
  posteo.de mailbox.org proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.io tuta.com
  fastmail.com fastmail.fm hey.com zoho.com zohomail.com mail.com email.com usa.com mail.ru yandex.ru yandex.com ya.ru
  bk.ru inbox.ru list.ru qq.com foxmail.com 163.com 126.com sina.com naver.com daum.net hanmail.net kakao.com
  rediffmail.com orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tiscali.it alice.it
  bluewin.ch hispeed.ch sunrise.ch chello.at aon.at telenet.be skynet.be ziggo.nl kpnmail.nl btinternet.com sky.com
  virginmedia.com ntlworld.com talktalk.net comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net
  charter.net earthlink.net shaw.ca rogers.com bigpond.com optusnet.com.au uol.com.br bol.com.br terra.com.br
  wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz email.cz abv.bg mailinator.com guerrillamail.com yopmail.com
  duck.com mozmail.com simplelogin.com anonaddy.com github.io gitlab.io pages.dev workers.dev vercel.app netlify.app
  web.app firebaseapp.com appspot.com run.app herokuapp.com azurewebsites.net cloudapp.net blob.core.windows.net
  onmicrosoft.com amazonaws.com cloudfront.net blogspot.com wordpress.com wixsite.com myshopify.com ngrok.io
  dyndns.org duckdns.org no-ip.org ddns.net uk.com us.com eu.com de.com br.com cn.com gb.net uk.net`.split(/\s+/),
)

/** Families of providers that have a domain in many countries, such as yahoo.co.uk. */
const SHARED_FAMILIES = /^(?:yahoo|hotmail|outlook|live|gmx|yandex|aol|msn)\.(?:[a-z]{2}|com?\.[a-z]{2}|com)$/

/** Writes a domain as name servers know it (RFC 5891): in lower case, without a last dot. */
function asciiOf(given: string): string {
  const domain = given.trim().replace(/\.$/, '')
  const url = `http://${domain}`
  return NO_DOMAIN.test(domain) || !URL.canParse(url) ? '' : new URL(url).hostname
}

const isDomain = (domain: string): boolean => {
  const labels = domain.split('.')
  return (
    domain.length <= DOMAIN_CHARACTERS_MAX &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}

/** Domain of mail addresses, in any script; read as name servers know it. */
export const Domain = v.pipe(
  line(1, DOMAIN_CHARACTERS_MAX),
  v.metadata({ jsonSchema: { type: 'string', minLength: 1, maxLength: DOMAIN_CHARACTERS_MAX } }),
  v.transform(asciiOf),
  v.check(isDomain, 'must be a domain, such as example.com'),
)

/** Tells if many people who know nothing of each other have addresses or names there. */
export function isShared(domain: string): boolean {
  const [first = '', last = '', ...rest] = domain.split('.')
  const isRegistry = rest.length === 0 && last.length === 2 && REGISTRY_LABELS.has(first)
  return isRegistry || SHARED.has(domain) || SHARED_FAMILIES.test(domain)
}

/** Reads the domain of a mail address of a person. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** Names the record that shows the challenge of a domain. */
export const recordNameOf = (domain: string): string => `_bfs-challenge.${domain}`
