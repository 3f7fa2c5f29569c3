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
const [WORDS_MAX, SHAPES_MAX] = [32, 64]
/** Texts that may be one of an enumeration; amounts, days and most ids are none. */
const WORD = /^(?![\da-f]{8}-)\D.{0,79}$/
/** End of the wrapper of read() in db/postgres/sql.ts. */
const GATE = /offset length\(gate\.org\)/

const folder = process.env.ROWS_SEEN
if (folder && isMainThread) await recordIn(folder)

async function recordIn(folder) {
  const { default: postgres } = await import('postgres')
  const { prototype } = postgres({ max: 1 })``.constructor
  const { handle } = prototype
  const statements = new Map()
  const write = writerIn(folder)
  prototype.handle = function () {
    if (!this.executed && this.tagged) {
      const { resolve } = this
      this.resolve = (rows) => {
        if (process.env.ROWS_SEEN && rows?.columns && !this.isRaw) {
          for (const name of namesOf(this)) seeRows(placeIn(statements, name, []), rows, write)
        }
        return resolve(rows)
      }
    }
    return handle.call(this)
  }
}

function writerIn(folder) {
  let file
  return ([name, ...path], fact) => {
    file ??= openSync(join(folder, `${process.pid}-${Date.now()}.jsonl`), 'a')
    writeSync(file, `${JSON.stringify([name, path, fact])}\n`)
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

/** Place of values: a statement, a column, a member of JSON, or the elements of an array. */
const newPlace = (path) => ({
  path,
  facts: new Set(),
  words: new Set(),
  lists: new WeakSet(),
  isText: false,
  places: new Map(),
})

function placeIn(places, name, path) {
  let place = places.get(name)
  if (!place) places.set(name, (place = newPlace([...path, name])))
  return place
}

/** Writes a fact of a place the first time. */
function note(place, fact, write, told = fact) {
  if (place.facts.has(fact)) return
  place.facts.add(fact)
  write(place.path, told)
}

function seeRows(place, rows, write) {
  const { columns } = rows
  if (!place.lists.has(columns)) {
    place.lists.add(columns)
    const list = columns.map((column) => [column.name, column.type])
    note(place, JSON.stringify(list), write, { columns: list })
  }
  for (const { name } of columns) {
    const at = placeIn(place.places, name, place.path)
    rows.forEach((row) => seeValue(at, row[name], write)) // an answer that is not whole has holes
  }
}

function seeValue(place, value, write) {
  if (typeof value === 'string') {
    if (!place.isText && !place.words.has(value)) seeText(place, value, write)
  } else if (Array.isArray(value)) {
    note(place, 'array', write)
    for (const element of value) seeValue(placeIn(place.places, '[]', place.path), element, write)
  } else if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) {
    note(place, value === null ? 'null' : typeof value === 'object' ? 'bytes' : typeof value, write)
  } else if (place.facts.size < SHAPES_MAX) {
    const members = Object.keys(value)
    note(place, members.join(), write, { members })
    for (const member of members) seeValue(placeIn(place.places, member, place.path), value[member], write)
  }
}

/** Tells texts of an enumeration apart; of more than WORDS_MAX words nothing is said. */
function seeText(place, text, write) {
  place.words.add(text)
  const isWord = WORD.test(text)
  place.isText = !isWord || place.words.size > WORDS_MAX
  if (!isWord) write(place.path, 'string')
  else if (!place.isText) write(place.path, `"${text}`)
}
