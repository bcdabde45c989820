create table purchase (
  buyer varchar(40) not null,
  item varchar(40) not null
);
