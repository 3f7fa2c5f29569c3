/** How many random walks a model test makes: a few in `npm test`, as many as MODEL_RUNS says in `npm run test:long`. */
export const modelRuns = (usual = 8): number => Number(process.env['MODEL_RUNS'] ?? usual)
