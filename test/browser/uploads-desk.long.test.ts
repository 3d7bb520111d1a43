import { uploadTests } from './upload-tests.ts'

uploadTests('desk')
