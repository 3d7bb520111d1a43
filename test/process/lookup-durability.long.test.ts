import { testDurability } from '../support/durability.ts'

/** `KILLS=1000` takes hours. */
testDurability(Number(process.env.KILLS ?? 6))
