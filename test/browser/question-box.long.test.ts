import { typingTests } from './question-box-tests.ts'

typingTests(120)
