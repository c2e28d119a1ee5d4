"""Messages about the layout of datasets: parts, tables of labels, readings."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

IN_PARTS = Sentence("The dataset is in parts: {parts}.")
PART = Sentence("{name} ({images:,} {images:image|images}, {classes:,} {classes:class|classes})")
FLAT_PART = Sentence("{name} ({images:,} {images:image|images}, no class folders)")
PART_NOT_CHOSEN = Sentence(
    "{parts}",
    "Choose one as Part, for example {first} for training. For another part, add a second Convert "
    "to Image Directory.",
)
NO_SUCH_PART = Sentence(
    "The dataset has no part {part}. {parts}", "Choose one of these parts, or whole."
)
NOT_IN_PARTS = Sentence(
    "The dataset has no part {part}: no folders or tables are named train, val or test.",
    "Set Part to whole.",
)
IN_NO_PART = Sentence(
    "{images:,} {images:image is|images are} not in any part and {images:is|are} left out: "
    "{folders}.",
    "To use them, move them into the folder of a part.",
)
IN_NO_TABLE_OF_PARTS = Sentence(
    "{images:,} {images:image is|images are} not listed in the tables of the parts ({tables}) and "
    "{images:is|are} left out: {examples}.",
    "To use them, add rows for them to one of the tables.",
)
PART_IN_SEVERAL_FOLDERS = Sentence(
    "The part {part} exists in several folders. Only {folder} is used, not {others}.",
    "Move the images of this part into one folder.",
)

# Messages about tables of labels

NO_LABEL_TABLE = Sentence(
    "No table of labels was found next to the images.",
    "Add labels.csv with the columns path and label, or a COCO JSON file. Or set Class from to "
    "folder name.",
)
NO_LABELS_IN_TABLES = Sentence(
    "No table contains labels: {reasons:; }.",
    "Add labels.csv with the columns path and label, or enter File column and Label column.",
)
TABLES_NOT_UNDERSTOOD = Sentence(
    "No labels were found in the tables: {reasons:; }.",
    "Name the columns path and label, or enter File column and Label column.",
)
CHOOSE_LABEL_COLUMN = Sentence(
    "Several columns of {table} may contain the labels: {columns}.",
    "Enter one of them as Label column, or set Class from to folders only or none.",
)
CHOOSE_FIRST_NUMBER = Sentence(
    "The class numbers in {table} ({numbers}) fit the names in {list} counted from 0 and from 1.",
    "Set First class number to 0 or 1, or write the number before each name in {list}.",
)
SEVERAL_CATEGORIES = Sentence(
    "{images:,} images show objects of several categories in {table}. Each image was assigned the "
    "category with the largest area.",
    "To label single objects, crop them first.",
)
OTHER_TABLES = Sentence(
    "The labels come from {table}. Tables not used: {others}.",
    "To use another table, remove {table}. Tables with the same columns are combined unless their "
    "labels contradict each other.",
)
OTHER_TABLE = Sentence("{table} (labels {images:,} more {images:image|images})")
TABLES_JOINED = Sentence(
    "{tables} label different images and are used together.",
    "Remove tables that you do not need, or name them train, val and test to use them as parts.",
)
TABLE_OF_SEVERAL = Sentence("{table} ({images:,} {images:image|images})")
DETECTED_ENCODING = Sentence(
    "{table} is not UTF-8; it was read as {encoding}.",
    "Check the class names, or save the table as UTF-8.",
)
CLASSES_NAMED_IN_ORDER = Sentence(
    "The {classes:,} class numbers in {table} were replaced by names from {list}, counted from "
    "{first} ({names}).",
    "If these names are wrong, write the number before each name in {list}, or remove {list}.",
)
CLASSES_NAMED = Sentence(
    "The {classes:,} class numbers in {table} were replaced by names from {list} ({names}).",
    "If these names are wrong, remove {list}.",
)
CLASSES_NOT_NAMED = Sentence(
    "{list} has {names:,} names, which do not include class number {number} in {table}; the "
    "numbers are used as class names.",
    "Add the missing names to {list}, or write the number before each name.",
)
SEVERAL_LABELS_IN_CELL = Sentence(
    "{images:,} {images:image has|images have} several labels in one cell of {table}: {labels}.",
    "Each combination is treated as a separate class. If this is wrong, keep one label for each "
    "image.",
)
MANY_CLASSES = Sentence(
    "{table} assigns {classes:,} classes to {images:,} images (column {column}).",
    "If these are not classes, enter another column as Label column.",
)
SPLIT_COLUMN = Sentence(
    'Column "{column}" of {table} assigns images to parts; it is not used.',
    "To use these parts, put the images of each part into a separate folder.",
)
ROWS_WITHOUT_FILE = Sentence(
    "{count:,} {count:row|rows} of {table} {count:refers|refer} to files that are not in the "
    "dataset: {names}.",
    "Add the files, or delete the rows.",
)
NAMES_FIT_SEVERAL = Sentence(
    "{count:,} {count:name|names} in {table} {count:matches|match} several files each: {names}.",
    "Add the folder to each name, or name the table after the part that it labels.",
)

ONLY_ARCHIVES = Sentence(
    "No images were found, but {archives:,} {archives:archive|archives} inside: {names}.",
    "Unpack {archives:it|them} and choose the folder with the images.",
)
NO_IMAGES_FOUND = Sentence(
    "No images were found. {files:The only file is|The {files:,} files are} of another kind: "
    "{names}.",
    "Choose a folder of image files, such as JPEG or PNG. Images inside of other files, such as "
    "Parquet or PDF, must be saved as image files first.",
)
NO_FILES_FOUND = Sentence("No files were found.", "Choose the folder that contains the images.")
MASKS_ARE_A_CLASS = Sentence(
    "The folders {images} and {masks} have files of the same names and are used as two classes, "
    "but {masks} seems to contain masks of the images.",
    "Remove {masks} from the dataset, and put the images of each class into one folder.",
)
MASKS_AMONG_IMAGES = Sentence(
    "{count:,} images have the name of another image with the ending of a mask and are used as "
    "images of their class: {names}.",
    "If they are masks, remove them from the dataset.",
)
CLASSES_NOT_IN_TRAIN = Sentence(
    "The part {part} has {count:,} {count:class|classes} that the part train lacks: {classes}.",
    "If a class is only named differently, give it the same name in both parts. Otherwise add "
    "training images of it, or remove it from {part}.",
)

# Reasons, used as parts of other messages

NO_LABEL_IN_TABLE = Sentence("it has no label in {table}")
SEVERAL_LABELS_IN_TABLE = Sentence("it has more than one label in {table}")
NO_SUCH_COLUMN = Sentence("{table} has no column {column}, it has {columns}")
NO_FILE_COLUMN = Sentence("no column of {table} contains names of files in the dataset ({columns})")
NO_LABEL_COLUMN = Sentence("{table} has no label column ({columns})")
SEVERAL_LABEL_COLUMNS = Sentence("several columns of {table} may contain the labels ({columns})")
TABLE_WITHOUT_LABELS = Sentence("{table} has no label for any image")
NAMES_NO_FILE = Sentence("{table} lists no file of the dataset ({names})")
NAMES_UNCLEAR = Sentence("names in {table} match several files each ({names})")
TABLE_FORMAT_NOT_READ = Sentence("the format of {table} is not supported (save it as CSV)")
TABLES_NOT_READ = Sentence(
    "the format of {table} and {others:,} more is not supported (save the labels as CSV)"
)
NOT_A_TABLE = Sentence("{table} has no rows of files and labels")

# Messages about readings

SEVERAL_READINGS = Sentence(
    "Labels can be read in several ways: {readings:; }.",
    "Choose one as Class from: {choices: or }.",
)
IMAGES_TOO_DEEP = Sentence(
    "All images are in subfolders of the class folders, for example {example}.",
    "Move the images into the class folders, or set Class from to none.",
)
NO_LABELS_IN_NAMES = Sentence(
    "The file names contain no labels: {names}.",
    "Name the files like cat_1.jpg, or choose another Class from.",
)
READ_AS_FOLDERS = Sentence(
    "{classes:,} {classes:class folder|class folders} with {images:,} images"
)
READ_AS_ONE_CLASS = Sentence(
    "all {images:,} images are in one folder, {folder}, used as their class"
)
FOLDER_IS_CLASS = Sentence(
    "All images are in one folder, {folder}, and therefore have one class.",
    "Training needs at least two classes. Add images of another class. If the folder is not a "
    "class, set Class from to none.",
)
ONLY_ONE_CLASS = Sentence(
    "{images:The only labelled image has|All {images:,} labelled images have} the class {name}.",
    "Training needs at least two classes. Add images of another class, or correct the labels.",
)
READ_AS_UNLABELLED = Sentence("{images:,} {images:image|images} without labels")
READ_AS_TABLE = Sentence(
    "{tables} {count:labels|label} {labelled:,} of {images:,} images, {classes:,} "
    "{classes:class|classes} (columns {columns: and })"
)
READ_AS_TABLE_OF_CLASSES = Sentence(
    "{tables} {count:labels|label} {labelled:,} of {images:,} images, {classes:,} "
    "{classes:class|classes}"
)
READ_AS_NAMES = Sentence(
    "file names label {images:,} images, {classes:,} {classes:class|classes} ({labels})"
)
VERDICT = Sentence("Read as: {said}.")
VERDICT_OF_PART = Sentence("Part {part}: {said}.")
VERDICT_QUESTION = Sentence("Decision needed: {question}.")
QUESTION = Sentence("decision needed: {question}")
LABELS_FROM_TABLES = Sentence("labels from {tables}")
LABELS_FROM_NAMES = Sentence("labels from file names")

name_sentences(globals())
