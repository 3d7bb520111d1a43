/** `npm run lab -- text read "TEXT"`: what is read from a text. */
import { readText } from '../../src/text/reader.ts'

const text = process.argv.slice(2).join(' ')
if (text === '') throw new Error('Name a text: npm run lab -- text read "iPhone 13, screen cracked"')
console.log(JSON.stringify(readText(text), null, 2))
