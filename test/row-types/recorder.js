/**
 * Recorder of what statements return, preloaded into each process of a test run (`--import`, test/global-setup.ts).
 *
 * A statement is known by the text of its template. Each line of the folder ROWS_SEEN is a fact `[statement, path,
 * fact]`, written when the process sees it first, because a process may be killed at any moment. Facts: the columns, the
 * members of an object, or a kind of value: `null`, `string`, `number`, `boolean`, `bytes`, `array`, and `"word` for a
 * text that may be one of an enumeration.
 */
import { createHash } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/** Limits of what is told apart at one place: words of an enumeration, and sets of members of an object. */
const [WORDS_MAX, SHAPES_MAX] = [64, 64]
/** Texts that may be one of an enumeration; amounts, days and most ids are none. */
const WORD = /^\D.{0,79}$/
/** End of the wrapper of read() in db/postgres/sql.ts. */
const GATE = /offset length\(gate\.org\)/

const folder = process.env.ROWS_SEEN
if (folder && isMainThread) await recordIn(folder)

async function recordIn(folder) {
  const { default: postgres } = await import('postgres')
  const { prototype } = postgres({ max: 1 })``.constructor
  const { handle } = prototype
  const [places, write] = [new Map(), writerIn(folder)]
  prototype.handle = function () {
    if (!this.executed && this.tagged) {
      const { resolve } = this
      this.resolve = (rows) => {
        if (process.env.ROWS_SEEN && rows?.columns && !this.isRaw)
          for (const name of namesOf(this)) seeRows(placeIn(places, name), rows, name, write)
        return resolve(rows)
      }
    }
    return handle.call(this)
  }
}

function writerIn(folder) {
  let file
  return (...fact) => {
    file ??= openSync(join(folder, `${process.pid}-${Date.now()}.jsonl`), 'a')
    writeSync(file, `${JSON.stringify(fact)}\n`)
  }
}

const texts = new WeakMap()

/** Names a statement by its text, and by that of the fragment at its beginning, whose columns it returns. */
function namesOf({ strings, args }) {
  let text = texts.get(strings)
  if (!text) texts.set(strings, (text = { joined: strings.join('\0'), names: new Map() }))
  const inner = strings[0].trim() === '' ? args[0] : GATE.test(strings.at(-1)) ? args[1] : undefined
  const names = inner?.strings ? namesOf(inner) : []
  const [head = ''] = names
  let name = text.names.get(head)
  if (!name) {
    name = createHash('sha1').update(`${text.joined}\0${head}`).digest('base64url').slice(0, 16)
    text.names.set(head, name)
  }
  return [name, ...names]
}

const newPlace = () => ({ facts: new Set(), lists: new WeakSet(), words: 0, isText: false, places: new Map() })

function placeIn(places, name) {
  let place = places.get(name)
  if (!place) places.set(name, (place = newPlace()))
  return place
}

/** Notes a fact of a place, and writes it the first time. */
function note(place, fact, write) {
  if (place.facts.has(fact)) return false
  place.facts.add(fact)
  write()
  return true
}

function seeRows(place, rows, name, write) {
  const { columns } = rows
  if (!place.lists.has(columns)) {
    place.lists.add(columns)
    const list = columns.map((column) => [column.name, column.type])
    note(place, JSON.stringify(list), () => write(name, [], { columns: list }))
  }
  const say = (path, fact) => write(name, path, fact)
  for (const column of columns) {
    const [at, path] = [placeIn(place.places, column.name), [column.name]]
    rows.forEach((row) => seeValue(at, row[column.name], path, say)) // an answer that is not whole has holes
  }
}

function seeValue(place, value, path, write) {
  if (typeof value === 'string') return seeText(place, value, path, write)
  if (Array.isArray(value)) {
    note(place, 'array', () => write(path, 'array'))
    for (const element of value) seeValue(placeIn(place.places, '[]'), element, [...path, '[]'], write)
  } else if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) {
    const kind = value === null ? 'null' : typeof value === 'object' ? 'bytes' : typeof value
    note(place, kind, () => write(path, kind))
  } else if (place.facts.size < SHAPES_MAX) {
    const members = Object.keys(value)
    note(place, `{${members.join()}`, () => write(path, { members }))
    for (const member of members) seeValue(placeIn(place.places, member), value[member], [...path, member], write)
  }
}

function seeText(place, text, path, write) {
  if (place.isText) return
  if (WORD.test(text) && place.words < WORDS_MAX) {
    if (note(place, `"${text}`, () => write(path, `"${text}`))) place.words += 1
    return
  }
  place.isText = true
  write(path, 'string')
}
