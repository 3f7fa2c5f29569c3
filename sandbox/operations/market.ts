/** The market of the stand-in rates desk. */
import { Market, NewMarket } from '../../domain/sandbox/sandbox.ts'
import { findMarket, setMarket } from '../db/rates.ts'
import { operations } from '../../api/http/operation.ts'

const { command, query } = operations('Sandbox')

export const sandboxMarket = [
  command('post', '/sandbox/market', 'setSandboxMarket')
    .says('Open or close the market, or have it follow the calendar of business time')
    .sandbox()
    .takes(NewMarket)
    .answers(Market)
    .does(({ tx, body }) => setMarket(tx, body)),
  query('/sandbox/market', 'getSandboxMarket')
    .says('Read how the market is set and whether it is open')
    .sandbox()
    .answers(Market)
    .does(() => findMarket()),
]
