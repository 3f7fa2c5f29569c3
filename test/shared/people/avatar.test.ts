/** Avatars: any upload becomes a square webp without other content. */
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { MANY } from '../../support/model-runs.ts'
import { type TestPerson, api, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { bytesAt, pathIn, served, upload as uploadTo } from '../../support/files/pictures.ts'
import { SIGNATURE, black, chunk, deepPng, png, withPackedText, zeros } from '../../support/files/png.ts'

const MIB = 1024 * 1024

const upload = (to: TestPerson, bytes: Uint8Array, form = {}) => uploadTo(to, '/me/avatar', bytes, form)
const avatarOf = async ({ token }: TestPerson) => (await api('GET', '/me', { token })).body.avatar

/** Uploads an accepted picture and returns the served bytes. */
async function kept(bytes: Uint8Array): Promise<Buffer> {
  const answer = await upload(await person(), bytes)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return bytesAt(pathIn(answer.body.avatar))
}

async function refusalOf(bytes: Uint8Array) {
  const somebody = await person()
  const { status, body } = await upload(somebody, bytes)
  expect(await avatarOf(somebody)).toEqual({ url: '' })
  return [status, body.error?.type, body.error?.details?.reason]
}

const RED = await sharp({ create: { width: 5, height: 5, channels: 3, background: 'red' } })
  .png()
  .toBuffer()
const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })

const [TIFF, AVIF] = [await plain(9, 9, 'red').tiff().toBuffer(), await plain(9, 9, 'red').avif().toBuffer()]

/** Reads the colour in the middle of a quarter of the picture. */
async function colourAt(picture: Buffer, left: number, top: number): Promise<number[]> {
  const { data } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (top * 512 + left) * 3
  return [...data.subarray(at, at + 3)].map((value) => Math.round(value / 255))
}

describe('a picture that is in order', () => {
  test.each(['png', 'jpeg', 'webp'] as const)('%s becomes 512 × 512 webp', async (format) => {
    const picture = await kept(await plain(900, 300, 'red').toFormat(format).toBuffer())
    const metadata = await sharp(picture).metadata()
    expect(metadata).toMatchObject({ format: 'webp', width: 512, height: 512, space: 'srgb' })
    expect(await colourAt(picture, 256, 256)).toEqual([1, 0, 0])
  })

  test('its kind is what its bytes are, whatever it is called', async () => {
    const bytes = await plain(10, 10, 'red').jpeg().toBuffer()
    expect((await upload(await person(), bytes, { type: 'text/html' })).status).toBe(200)
  })

  test('nothing of its metadata is left, and it stands upright', async () => {
    const left = await plain(200, 400, 'blue').png().toBuffer()
    const photo = await plain(400, 400, 'red')
      .composite([{ input: left, left: 0, top: 0 }])
      .jpeg()
      .withIccProfile('p3')
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">private-xmp</x:xmpmeta>')
      .withMetadata({ orientation: 6 }) // turned a quarter to the right
      .withExifMerge({
        IFD0: { Copyright: 'private-copyright' },
        IFD3: { GPSLatitude: '52/1 31/1 12/1', GPSLatitudeRef: 'N' },
      })
      .toBuffer()
    const sent = await sharp(photo).metadata()
    const parts = { exif: expect.anything(), icc: expect.anything(), xmp: expect.anything() }
    expect(sent).toMatchObject({ orientation: 6, ...parts })
    const picture = await kept(photo)
    const metadata = await sharp(picture).metadata()
    for (const part of ['exif', 'icc', 'xmp', 'iptc', 'orientation'] as const) expect(metadata[part]).toBeUndefined()
    for (const private_ of ['private', 'GPS', 'Exif', 'ICCP', 'XMP ']) expect(picture.includes(private_)).toBe(false)
    expect(await colourAt(picture, 256, 100)).toEqual([0, 0, 1])
    expect(await colourAt(picture, 256, 400)).toEqual([1, 0, 0])
  })

  test('its middle is kept, and a small one is made large', async () => {
    const middle = await plain(10, 10, 'lime').png().toBuffer()
    const wide = await plain(30, 10, 'red')
      .composite([{ input: middle, left: 10, top: 0 }])
      .png()
      .toBuffer()
    const picture = await kept(wide)
    for (const at of [100, 256, 400]) expect(await colourAt(picture, at, at)).toEqual([0, 1, 0])
  })

  test('of an animation the first frame is kept', async () => {
    const frames = Buffer.concat([Buffer.alloc(100 * 100 * 3, 0), Buffer.alloc(100 * 100 * 3, 255)])
    const raw = { width: 100, height: 200, channels: 3, pageHeight: 100 } as const
    const animation = await sharp(frames, { raw })
      .webp({ loop: 0, delay: [50, 50] })
      .toBuffer()
    expect((await sharp(animation, { animated: true }).metadata()).pages).toBe(2)
    const picture = await kept(animation)
    expect((await sharp(picture, { animated: true }).metadata()).pages ?? 1).toBe(1)
    expect(await colourAt(picture, 256, 256)).toEqual([0, 0, 0])
  })

  test('colours of print become colours of a screen', async () => {
    const cmyk = await plain(100, 100, 'red').toColourspace('cmyk').jpeg().toBuffer()
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk')
    const picture = await kept(cmyk)
    expect((await sharp(picture).metadata()).space).toBe('srgb')
    expect(await colourAt(picture, 256, 256)).toEqual([1, 0, 0])
  })
})

describe('its address', () => {
  test('is another one for each picture; the one before is gone', async () => {
    const somebody = await person()
    const blue = await plain(5, 5, 'blue').png().toBuffer()
    const first = pathIn((await upload(somebody, RED)).body.avatar)
    const second = pathIn((await upload(somebody, blue)).body.avatar)
    expect(second).not.toBe(first)
    const gone = await served(first)
    expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'no-store'])
    expect(await colourAt(await bytesAt(second), 256, 256)).toEqual([0, 0, 1])
    expect(pathIn(await avatarOf(somebody))).toBe(second)
  })

  test('is empty text again when the picture is removed, as often as that is asked', async () => {
    const [somebody, other] = [await person(), await person()]
    const [path, others] = [(await upload(somebody, RED)).body.avatar, (await upload(other, RED)).body.avatar].map(
      pathIn,
    )
    for (const _ of [1, 2]) {
      const removed = await api('DELETE', '/me/avatar', { token: somebody.token })
      expect([removed.status, removed.body.avatar]).toEqual([200, { url: '' }])
    }
    expect((await served(path!)).status).toBe(404)
    expect((await served(others!)).status).toBe(200)
  })
})

test('many pictures of one person at once leave one, the one that Me tells', async () => {
  const somebody = await person()
  const answers = await Promise.all(Array.from({ length: MANY }, () => upload(somebody, RED)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses).toContain(200)
  expect([200, 429]).toEqual(expect.arrayContaining(statuses))
  const rows = await owner<{ id: string }[]>`select id from avatars where user_id = ${somebody.userId}`
  expect(rows.map(({ id }) => `/avatars/${id}`)).toEqual([pathIn(await avatarOf(somebody))])
})

const peakMib = () => process.resourceUsage().maxRSS / 1024

describe('a file that is no picture to keep', () => {
  test.each([
    ['an svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
    ['an svg as XML', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a gif', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
    ['a pdf', '%PDF-1.7\n%%EOF'],
    ['text', 'hello'],
    ['nothing', ''],
    ['a tiff', TIFF],
    ['an avif', AVIF],
  ])('%s is of an unsupported kind', async (_, bytes) => {
    expect(await refusalOf(Buffer.from(bytes))).toEqual([415, 'unsupported_media_type', undefined])
  })

  const unreadable = [422, 'invalid_file', 'unreadable']

  test.each(['png', 'jpeg', 'webp'] as const)('a %s that ends too early is unreadable', async (format) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
    const bytes = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'red', noise } })
      .toFormat(format)
      .toBuffer()
    for (const share of [0.1, 0.5, 0.95]) {
      expect(await refusalOf(bytes.subarray(0, bytes.length * share)), String(share)).toEqual(unreadable)
    }
  })

  test('an svg behind the first bytes of a png is unreadable', async () => {
    const bytes = [SIGNATURE, chunk('IHDR', Buffer.alloc(13)), Buffer.from('<svg/>')]
    expect(await refusalOf(Buffer.concat(bytes))).toEqual(unreadable)
  })

  test('more than 40 megapixels are refused by the header: what comes after it is not even looked at', async () => {
    const nonsense = Buffer.from('no deflated data')
    const tooMany = [422, 'invalid_file', 'too_many_pixels']
    expect(await refusalOf(png(6404, 6404, nonsense))).toEqual(tooMany)
    expect(await refusalOf(png(60_000, 60_000, nonsense))).toEqual(tooMany)
    expect(await refusalOf(png(6300, 6300, nonsense))).toEqual(unreadable)
  })

  test('a bomb is refused by what it says it is, and never swells beyond it', async () => {
    const bomb = zeros(512 * MIB)
    expect(bomb.length).toBeLessThan(MIB)
    expect(await refusalOf(png(13_000, 13_000, bomb))).toEqual([422, 'invalid_file', 'too_many_pixels'])
    const inMetadata = ['zTXt', 'iCCP'].map((name) => chunk(name, Buffer.concat([Buffer.from('x\0\0'), bomb])))
    const before = peakMib()
    for (const hidden of inMetadata) {
      expect((await upload(await person(), png(4, 4, black(4, 4), [hidden]))).status).toBe(200)
    }
    expect((await upload(await person(), png(4, 4, bomb))).status).toBe(200)
    expect(peakMib() - before).toBeLessThan(256)
  })

  test('90 texts that swell to 50 MB each are refused at once; 20 are left out, and nobody else waits', async () => {
    const before = peakMib()
    const beside = Array.from({ length: 20 }, () => api('GET', '//healthz'))
    expect(await refusalOf(withPackedText(90))).toEqual([422, 'invalid_file', 'too_much_text'])
    expect((await upload(await person(), withPackedText(20))).status).toBe(200)
    for (const { status } of await Promise.all(beside)) expect(status).toBe(200)
    expect(peakMib() - before).toBeLessThan(300)
  })

  test('what takes more memory than a picture may is given up, and the next picture is taken', async () => {
    expect(await refusalOf(deepPng(6300))).toEqual([422, 'invalid_file', 'too_complex'])
    expect((await upload(await person(), png(4, 4, black(4, 4)))).status).toBe(200)
  })

  test('a webp of more than 1,000 chunks is refused: its decoder would look through them for each frame', async () => {
    const chunks = (count: number) =>
      Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP'), Buffer.alloc(count * 8, 'ANMF\0\0\0\0')])
    expect(await refusalOf(chunks(1001))).toEqual([422, 'invalid_file', 'too_complex'])
    expect(await refusalOf(chunks(1000))).toEqual(unreadable)
  })

  test('lines of pixels, however long, are a picture or unreadable', async () => {
    for (const [width, height] of [
      [1, 60_000],
      [60_000, 1],
      [1, 30_000_000],
      [30_000_000, 1],
    ] as const) {
      const { status } = await upload(await person(), png(width, height, black(width, height)))
      expect([200, 422]).toContain(status)
    }
  })

  test('more than 5 MB are too large', async () => {
    const ofSize = (size: number) => Buffer.concat([RED, Buffer.alloc(size - RED.length)])
    const { status, body } = await upload(await person(), ofSize(5 * MIB + 1))
    expect([status, body.error.type]).toEqual([413, 'payload_too_large'])
    expect(body.error.details).toEqual({ max_bytes: 5 * MIB })
    expect((await upload(await person(), ofSize(5 * MIB))).status).toBe(200)
  })

  test('a form without the field, and a body that is no form', async () => {
    const somebody = await person()
    const other = await upload(somebody, RED, { field: 'picture' })
    expect([other.status, other.body.error.details.errors]).toMatchObject([400, [{ path: 'file', code: 'required' }]])
    const json = await api('POST', '/me/avatar', { token: somebody.token, body: {} })
    expect([json.status, json.body.error.type]).toEqual([415, 'unsupported_media_type'])
  })
})
