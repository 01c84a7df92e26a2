/** The password of all callers, and another one that the rules for passwords allow. */
export const PASSWORD = 'Long-enough-77!';
export const NEW_PASSWORD = 'Long-enough-88!';

/** Pictures of one pixel each, red and blue. */
export const RED = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4wcAAAAJcAMlDyBJGAAAAAElFTkSuQmCC';
const BLUE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYDgBAADMAMkncsFaAAAAAElFTkSuQmCC';
const sent = (data: string) => ({ data, encoding: 'base64', 'content-type': 'image/png', filename: 'pixel.png' });

/** The same pictures in the form in which clients send them. */
export const PICTURE = sent(RED);
export const OTHER_PICTURE = sent(BLUE);

/** A form with a text field and a file field, which stores submissions. */
export const FORM = {
  '@type': 'schemaForm',
  store: true,
  schema: {
    fieldsets: [{ id: 'default', title: 'Default', fields: ['name', 'cv'] }],
    properties: { name: { title: 'Name', factory: 'label_text_field' }, cv: { title: 'CV', factory: 'File Upload' } },
    required: [],
  },
};
