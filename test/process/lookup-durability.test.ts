import { testDurability } from '../support/durability.ts'

testDurability(3)
