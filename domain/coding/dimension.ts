/** Dimensions of an organization, such as departments, cost centres or projects: their values label lines of bills. */
import * as v from 'valibot'
import { distinct } from '../distinct.ts'
import { describe, model } from '../text.ts'
import { archived, code, name } from './chart.ts'

export const [DIMENSIONS_MAX, VALUES_MAX] = [20, 2000]

export const Dimension = model('Dimension', {
  code: v.string(),
  name: v.string(),
  archived_at: archived,
  values: describe(
    v.array(model('DimensionValue', { code: v.string(), name: v.string(), archived_at: archived })),
    'Values by code, archived ones too.',
  ),
})
export type Dimension = v.InferOutput<typeof Dimension>

/** Body of PUT …/dimensions: what it does not name is archived, and never deleted. */
export const NewDimensions = model('NewDimensions', {
  dimensions: describe(
    v.pipe(
      v.array(
        model('NewDimension', {
          code,
          name,
          values: describe(
            v.pipe(
              v.array(model('NewDimensionValue', { code, name })),
              v.maxLength(VALUES_MAX, `too_many:${VALUES_MAX}`),
              distinct((one) => one.code),
            ),
            'Values; those that it does not name are archived.',
          ),
        }),
      ),
      v.maxLength(DIMENSIONS_MAX, `too_many:${DIMENSIONS_MAX}`),
      distinct((one) => one.code),
    ),
    'Dimensions; those that it does not name are archived.',
  ),
})
export type NewDimensions = v.InferOutput<typeof NewDimensions>
