/** Dangerous functions, and the connections and the cryptography of the service. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FILES } from './files.ts'

const SOURCES = FILES.filter(
  (file) =>
    /^(?:domain|platform|documents|db|services|partners|activities|workflows|temporal|api|pages)\/.*\.(?:ts|js)$|^[\w-]+\.ts$/.test(
      file,
    ) && !/^(?:dev|sbom|vitest\.config)\.ts$/.test(file),
)
const texts = SOURCES.map((file) => [file, readFileSync(file, 'utf8')] as const)
const filesWith = (pattern: RegExp): string[] =>
  texts.flatMap(([file, text]) => (pattern.test(text) ? [file] : [])).toSorted()

test('the sources are found', () => expect(SOURCES.length).toBeGreaterThan(600))

test.each<[string, RegExp]>([
  ['runs text as code', /\beval\(|new Function\(|\bvm\.|node:vm|setTimeout\(\s*['"`]/],
  ['gives text to a shell', /\bexecSync?\(\s*['"`]|from 'node:child_process'.*\bexec\b|shell: true/],
  ['writes markup into a page', /innerHTML|outerHTML|insertAdjacentHTML|document\.write|setHTMLUnsafe/],
  ['stores in the browser, or takes messages of other windows', /localStorage|sessionStorage|indexedDB|postMessage/],
  ['believes any certificate', /rejectUnauthorized: false|NODE_TLS_REJECT_UNAUTHORIZED['"]?\]? =/],
  ['decrypts or hashes by what is broken', /['"](?:md5|md4|rc4|sha-?1|des|des-ede3|aes-\d+-(?:ecb|cbc|ctr))['"]/i],
  ['derives a key from a password without a salt of its own', /createCipher\(|createDecipher\(/],
])('nothing %s', (_, pattern) => expect(filesWith(pattern)).toEqual([]))

test('chance that anybody could guess only spreads pauses', () =>
  expect(filesWith(/Math\.random/)).toEqual([
    'activities/bulkhead.ts',
    'api/http/command.ts',
    'domain/webhooks/delivery.ts',
  ]))

test('processes are ended by one function, or end themselves: a child without a pid would end its whole group', () =>
  expect(filesWith(/\.kill\(/)).toEqual([
    'documents/reading-process.ts',
    'documents/reading/limits.ts',
    'platform/fork.ts',
  ]))

test('connections to others are opened by the clients that are named, and by no other file', () =>
  expect(
    filesWith(
      /(?<![.\w])fetch\(\s*(?!method|request)[\w`'"]|\bhttpsRequest\b|createTransport\(|new S3Client|startTls\(/,
    ),
  ).toEqual([
    'activities/language-model.ts',
    'db/postgres/socket.ts',
    'partners/guarded.ts',
    'partners/http.ts',
    'partners/mail.ts',
    'partners/xero-http.ts',
    'platform/storage/s3.ts',
  ]))

test('the inventory names each library and function of cryptography that a file takes', () => {
  const page = readFileSync('docs/asvs/cryptography.md', 'utf8')
  const taken = texts.flatMap(([, text]) => [
    ...[...text.matchAll(/import \{([^}]*)\} from 'node:crypto'/g)].flatMap(([, names = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type ')),
    ),
    ...[...text.matchAll(/'((?:@noble|@scure|@node-rs|@simplewebauthn)\/[\w-]+|otplib)/g)].map(([, name = '']) => name),
    ...[...text.matchAll(/(?:createHash|createHmac|createCipheriv|hkdfSync|\bhash)\('([\w-]+)'/g)].map(
      ([, name = '']) => name,
    ),
  ])
  expect([...new Set(taken)].filter((name) => !page.includes(`\`${name}\``)).toSorted()).toEqual([])
})
