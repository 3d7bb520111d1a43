/** `npm run lab -- ordinary-words`: learns the ordinary words of titles from the labelled texts and writes them. */
import { join } from 'node:path'
import { learnOrdinaryTexts, writeOrdinaryTexts } from './matching/learn-ordinary-words.ts'

const learned = learnOrdinaryTexts()
await Bun.write(join(import.meta.dir, '../data/aliases/ordinary-words.txt'), writeOrdinaryTexts(learned))
console.log(`${learned.words.length} words, ${learned.pairs.length} pairs of letters`)
